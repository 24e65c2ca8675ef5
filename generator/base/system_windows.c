/* system.h for Windows, with its wide functions and its C library. Paths are UTF-8 outside and
 * UTF-16 inside; '/' and '\\' both separate folders. */
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <fcntl.h>
#include <io.h>
#include <shellapi.h>
#include <sys/stat.h>

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/system.h"

#define LONGEST 4096 /* UTF-16 units of a path */

#define SHARE_ALL (FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE)

/* Sets errno from the last error of the system. Always false. */
static bool fail(void)
{
    static const struct {
        DWORD theirs;
        int ours;
    } errors[] = {
        {ERROR_FILE_NOT_FOUND, ENOENT},
        {ERROR_PATH_NOT_FOUND, ENOENT},
        {ERROR_INVALID_NAME, ENOENT},
        {ERROR_BAD_PATHNAME, ENOENT},
        {ERROR_INVALID_DRIVE, ENOENT},
        {ERROR_BAD_NETPATH, ENOENT},
        {ERROR_ACCESS_DENIED, EACCES},
        {ERROR_SHARING_VIOLATION, EACCES},
        {ERROR_LOCK_VIOLATION, EACCES},
        {ERROR_WRITE_PROTECT, EROFS},
        {ERROR_FILE_EXISTS, EEXIST},
        {ERROR_ALREADY_EXISTS, EEXIST},
        {ERROR_DISK_FULL, ENOSPC},
        {ERROR_DIRECTORY, ENOTDIR},
        {ERROR_FILENAME_EXCED_RANGE, ENAMETOOLONG},
        {ERROR_CANT_RESOLVE_FILENAME, ELOOP},
    };
    const DWORD error = GetLastError();
    errno = EIO;
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
        errno = errors[i].theirs == error ? errors[i].ours : errno;
    }
    return false;
}

static bool done(BOOL ok)
{
    return ok || fail();
}

/* The path in UTF-16. */
static const wchar_t *wide(const char *path, wchar_t out[LONGEST])
{
    if (MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, out, LONGEST) == 0) {
        wcscpy(out, L"<>"); /* an invalid name, so that the next call fails with ENOENT */
    }
    return out;
}

/* n units of UTF-16 as UTF-8, allocated with malloc. */
static char *narrow(const wchar_t *text, int n)
{
    const int size = WideCharToMultiByte(CP_UTF8, 0, text, n, NULL, 0, NULL, NULL);
    char *out = malloc((size_t)size + 1);
    if (out == NULL) {
        abort();
    }
    WideCharToMultiByte(CP_UTF8, 0, text, n, out, size, NULL, NULL);
    out[size] = '\0';
    return out;
}

static const char *narrow_in(sg_arena *arena, const wchar_t *text, size_t n)
{
    char *text8 = narrow(text, (int)n);
    const char *kept = sg_arena_strdup(arena, text8);
    free(text8);
    return kept;
}

/* --- start --- */

static UINT old_page;

static void restore_page(void)
{
    SetConsoleOutputCP(old_page);
}

/* Makes the console show UTF-8 while the tool runs. */
static void show_utf8(void)
{
    old_page = GetConsoleOutputCP();
    if (old_page != 0 && old_page != CP_UTF8 && SetConsoleOutputCP(CP_UTF8)) {
        atexit(restore_page);
    }
}

void sg_system_start(int *argc, char ***argv)
{
    for (int fd = SG_STANDARD_INPUT; fd <= SG_STANDARD_ERROR; fd++) {
        _setmode(fd, _O_BINARY);
    }
    show_utf8();
    wchar_t **words = CommandLineToArgvW(GetCommandLineW(), argc);
    char **list = calloc((size_t)*argc + 1, sizeof *list);
    if (words == NULL || list == NULL) {
        abort();
    }
    for (int i = 0; i < *argc; i++) {
        list[i] = narrow(words[i], (int)wcslen(words[i]));
    }
    LocalFree(words);
    *argv = list;
}

/* --- paths --- */

bool sg_system_is_slash(char c)
{
    return c == '/' || c == '\\';
}

size_t sg_system_drive(const char *path)
{
    const bool letter = (path[0] >= 'A' && path[0] <= 'Z') || (path[0] >= 'a' && path[0] <= 'z');
    return letter && path[1] == ':' ? 2 : 0;
}

static HANDLE look_at(const char *path)
{
    wchar_t name[LONGEST];
    return CreateFileW(wide(path, name), FILE_READ_ATTRIBUTES, SHARE_ALL, NULL, OPEN_EXISTING,
                       FILE_FLAG_BACKUP_SEMANTICS, NULL);
}

/* The name of an open file with '/' as the separator and without the prefix "\\?\"; a file of
 * another machine begins with "//machine/". */
static const char *plain_name(sg_arena *arena, wchar_t *name, size_t n)
{
    enum { LOCAL = 4, REMOTE = 8 }; /* units of "\\?\" and "\\?\UNC\" */
    const bool remote = wcsncmp(name, L"\\\\?\\UNC\\", REMOTE) == 0;
    const bool local = !remote && wcsncmp(name, L"\\\\?\\", LOCAL) == 0;
    const size_t begin = remote ? REMOTE - 2 : local ? LOCAL : 0;
    if (remote) {
        name[begin] = L'\\';
    }
    for (size_t i = begin; i < n; i++) {
        name[i] = name[i] == L'\\' ? L'/' : name[i];
    }
    return narrow_in(arena, name + begin, n - begin);
}

const char *sg_system_real_path(sg_arena *arena, const char *path)
{
    wchar_t name[LONGEST];
    const HANDLE file = look_at(path);
    if (file == INVALID_HANDLE_VALUE) {
        (void)fail();
        return NULL;
    }
    const DWORD n = GetFinalPathNameByHandleW(file, name, LONGEST, 0);
    CloseHandle(file);
    return n > 0 && n < LONGEST ? plain_name(arena, name, n) : NULL;
}

const char *sg_system_program(sg_arena *arena)
{
    wchar_t name[LONGEST];
    const DWORD n = GetModuleFileNameW(NULL, name, LONGEST);
    return n > 0 && n < LONGEST ? narrow_in(arena, name, n) : NULL;
}

/* --- queries --- */

static bool describe(HANDLE file, sg_system_info *info)
{
    *info = (sg_system_info){.kind = SG_SYSTEM_OTHER};
    const DWORD type = GetFileType(file);
    if (type != FILE_TYPE_DISK) {
        info->kind = type == FILE_TYPE_PIPE ? SG_SYSTEM_FIFO : SG_SYSTEM_OTHER;
        return true;
    }
    BY_HANDLE_FILE_INFORMATION st;
    if (!GetFileInformationByHandle(file, &st)) {
        return fail();
    }
    info->kind =
        (st.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0 ? SG_SYSTEM_FOLDER : SG_SYSTEM_FILE;
    info->size = (int64_t)((uint64_t)st.nFileSizeHigh << 32 | st.nFileSizeLow);
    info->device = st.dwVolumeSerialNumber;
    info->number = (uint64_t)st.nFileIndexHigh << 32 | st.nFileIndexLow;
    return true;
}

bool sg_system_stat(const char *path, sg_system_info *info)
{
    const HANDLE file = look_at(path);
    if (file == INVALID_HANDLE_VALUE) {
        return fail();
    }
    const bool ok = describe(file, info);
    CloseHandle(file);
    return ok;
}

bool sg_system_stat_open(int fd, sg_system_info *info)
{
    return describe((HANDLE)_get_osfhandle(fd), info);
}

/* Anything that is not a file on a disk has zero for both numbers. */
bool sg_system_is_same(const sg_system_info *a, const sg_system_info *b)
{
    return a->device == b->device && a->number == b->number && a->number != 0;
}

/* A console without escape sequences does not count as a terminal, because callers only ask in
 * order to use colours. */
bool sg_system_is_terminal(int fd)
{
    const HANDLE console = (HANDLE)_get_osfhandle(fd);
    DWORD mode;
    return GetConsoleMode(console, &mode) &&
           SetConsoleMode(console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
}

const char **sg_system_names(sg_arena *arena, const char *folder, size_t *count)
{
    wchar_t pattern[LONGEST];
    WIN32_FIND_DATAW entry;
    int64_t capacity = 16;
    const char **names = SG_NEW_ARRAY(arena, const char *, capacity);
    *count = 0;
    const HANDLE search =
        FindFirstFileW(wide(sg_arena_printf(arena, "%s/*", folder), pattern), &entry);
    if (search == INVALID_HANDLE_VALUE) {
        return names;
    }
    do {
        if (wcscmp(entry.cFileName, L".") == 0 || wcscmp(entry.cFileName, L"..") == 0) {
            continue;
        }
        names = SG_GROWN(arena, names, *count, capacity);
        names[(*count)++] = narrow_in(arena, entry.cFileName, wcslen(entry.cFileName));
    } while (FindNextFileW(search, &entry));
    FindClose(search);
    return names;
}

/* Reparse points other than links are files or folders of their own. */
static bool is_link(const char *path)
{
    wchar_t name[LONGEST];
    WIN32_FIND_DATAW entry;
    const HANDLE search = FindFirstFileW(wide(path, name), &entry);
    if (search == INVALID_HANDLE_VALUE) {
        return false;
    }
    FindClose(search);
    return (entry.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0 &&
           (entry.dwReserved0 == IO_REPARSE_TAG_SYMLINK ||
            entry.dwReserved0 == IO_REPARSE_TAG_MOUNT_POINT);
}

/* Returns the end of the chain of links, if it exists. */
const char *sg_system_link(sg_arena *arena, const char *path)
{
    return is_link(path) ? sg_system_real_path(arena, path) : NULL;
}

/* --- reading --- */

static int open_as(const char *path, int flags)
{
    wchar_t name[LONGEST];
    const int fd = _wopen(wide(path, name), flags | _O_BINARY | _O_NOINHERIT, _S_IREAD | _S_IWRITE);
    sg_system_info info;
    const int error = errno;
    if (fd < 0) {
        errno = error == EACCES && sg_system_stat(path, &info) && info.kind == SG_SYSTEM_FOLDER
                    ? EISDIR
                : error == EINVAL ? ENOENT /* no file can have this name */
                                  : error;
    }
    return fd;
}

int sg_system_open(const char *path)
{
    return open_as(path, _O_RDONLY);
}

/* Names such as "COM1" are devices in every folder and, on some releases, so is "COM1.lua". */
static bool is_device(const char *path)
{
    static const wchar_t devices[] = L"\\\\.\\";
    wchar_t name[LONGEST];
    wchar_t full[LONGEST];
    const DWORD n = GetFullPathNameW(wide(path, name), LONGEST, full, NULL);
    return n > 0 && n < LONGEST && wcsncmp(full, devices, wcslen(devices)) == 0;
}

/* Whether an open file is in a folder or below it. Both paths are the system's final paths, without
 * links. */
static bool is_in(sg_arena *arena, const char *file, const char *folder)
{
    const char *real = sg_system_real_path(arena, folder[0] != '\0' ? folder : ".");
    const size_t n = real != NULL ? strlen(real) : 0;
    return n > 0 && strncmp(file, real, n) == 0 && (file[n] == '/' || real[n - 1] == '/');
}

static bool is_inside(sg_arena *arena, int fd, const char *const *folders, size_t n)
{
    wchar_t name[LONGEST];
    const DWORD len = GetFinalPathNameByHandleW((HANDLE)_get_osfhandle(fd), name, LONGEST, 0);
    const char *file = len > 0 && len < LONGEST ? plain_name(arena, name, len) : NULL;
    bool found = false;
    for (size_t i = 0; file != NULL && i < n && !found; i++) {
        found = is_in(arena, file, folders[i]);
    }
    return found;
}

int sg_system_open_inside(sg_arena *arena, const char *folder, const char *path,
                          const char *const *inside, size_t ninside)
{
    const size_t n = strlen(folder);
    const bool whole = n == 0 || sg_system_is_slash(folder[n - 1]);
    const char *start = sg_arena_printf(arena, "%s%s", folder, whole ? "" : "/");
    bool linked = false;
    for (const char *end = path; *end != '\0'; end++) {
        if (*end == ':') { /* a drive, or an alternate stream of a file */
            errno = ENOENT;
            return -1;
        }
        linked = linked ||
                 ((end[1] == '\0' || sg_system_is_slash(end[1])) &&
                  is_link(sg_arena_printf(arena, "%s%.*s", start, (int)(end + 1 - path), path)));
    }
    const char *whole_path = sg_arena_printf(arena, "%s%s", start, path);
    if (is_device(whole_path)) {
        errno = ESPIPE;
        return -1;
    }
    const int fd = sg_system_open(whole_path);
    if (fd >= 0 && linked && !is_inside(arena, fd, inside, ninside)) {
        sg_system_close(fd);
        errno = EXDEV;
        return -1;
    }
    return fd;
}

int64_t sg_system_read(int fd, void *bytes, size_t n)
{
    return _read(fd, bytes, n < INT_MAX ? (unsigned)n : INT_MAX);
}

int64_t sg_system_read_at(int fd, void *bytes, size_t n, int64_t offset)
{
    const int64_t position = sg_system_position(fd);
    if (position < 0 || !sg_system_seek(fd, offset)) {
        return -1;
    }
    const int64_t got = sg_system_read(fd, bytes, n);
    return sg_system_seek(fd, position) ? got : -1;
}

int64_t sg_system_position(int fd)
{
    return _telli64(fd);
}

bool sg_system_seek(int fd, int64_t offset)
{
    return _lseeki64(fd, offset, SEEK_SET) >= 0;
}

bool sg_system_close(int fd)
{
    return _close(fd) == 0;
}

/* --- writing --- */

int sg_system_create(const char *path)
{
    return open_as(path, _O_WRONLY | _O_CREAT | _O_EXCL);
}

int sg_system_open_device(const char *path)
{
    return open_as(path, _O_WRONLY);
}

int sg_system_duplicate(int fd)
{
    return _dup(fd);
}

int64_t sg_system_write(int fd, const void *bytes, size_t n)
{
    return _write(fd, bytes, n < INT_MAX ? (unsigned)n : INT_MAX);
}

/* A write waits by itself, and an interrupt ends the process meanwhile. */
bool sg_system_wait(int fd, int milliseconds)
{
    (void)fd;
    (void)milliseconds;
    return true;
}

void sg_system_sleep(int milliseconds)
{
    Sleep((DWORD)milliseconds);
}

/* A new file inherits the permissions of its folder. */
bool sg_system_keep_rights(int fd, const sg_system_info *info)
{
    (void)fd;
    (void)info;
    return true;
}

bool sg_system_may_write(const char *path)
{
    enum { WRITING = 2 };
    wchar_t name[LONGEST];
    return _waccess(wide(path, name), WRITING) == 0;
}

bool sg_system_is_anothers(const sg_system_info *folder, const sg_system_info *file)
{
    (void)folder;
    (void)file;
    return false;
}

bool sg_system_rename(const char *from, const char *to)
{
    wchar_t from_name[LONGEST];
    wchar_t to_name[LONGEST];
    return done(MoveFileExW(wide(from, from_name), wide(to, to_name), MOVEFILE_REPLACE_EXISTING));
}

bool sg_system_second_name(const char *path, const char *name)
{
    wchar_t old_name[LONGEST];
    wchar_t new_name[LONGEST];
    return done(CreateHardLinkW(wide(name, new_name), wide(path, old_name), NULL));
}

bool sg_system_remove(const char *path)
{
    wchar_t name[LONGEST];
    return done(DeleteFileW(wide(path, name)));
}

bool sg_system_make_folder(const char *path)
{
    wchar_t name[LONGEST];
    return done(CreateDirectoryW(wide(path, name), NULL));
}

bool sg_system_remove_folder(const char *path)
{
    wchar_t name[LONGEST];
    return done(RemoveDirectoryW(wide(path, name)));
}

long sg_system_process(void)
{
    return (long)GetCurrentProcessId();
}

/* --- interrupts --- */

static volatile LONG pending; /* set by a thread of the system */

static BOOL WINAPI remember(DWORD event)
{
    (void)event;
    InterlockedExchange(&pending, 1);
    return TRUE;
}

void sg_system_hold_interrupts(void)
{
    SetConsoleCtrlHandler(remember, TRUE);
}

bool sg_system_interrupt_pending(void)
{
    return pending != 0;
}

void sg_system_release_interrupts(void)
{
    SetConsoleCtrlHandler(remember, FALSE);
    if (pending != 0) {
        ExitProcess((UINT)STATUS_CONTROL_C_EXIT);
    }
}

/* --- processor time --- */

enum { UNLIMITED, LIMITED, ENDING };

static struct {
    volatile LONG state; /* of the three, changed by both threads */
    const char *text;
    DWORD len;
    UINT code;
    ULONGLONG most; /* in units of 100 ns */
} limit;

static ULONGLONG ticks(FILETIME time)
{
    return (ULONGLONG)time.dwHighDateTime << 32 | time.dwLowDateTime;
}

static DWORD WINAPI watch(void *unused)
{
    enum { PAUSE_MS = 50 };
    FILETIME began, ended, kernel, user;
    (void)unused;
    while (limit.state == LIMITED) {
        Sleep(PAUSE_MS);
        if (GetProcessTimes(GetCurrentProcess(), &began, &ended, &kernel, &user) &&
            ticks(kernel) + ticks(user) >= limit.most &&
            InterlockedCompareExchange(&limit.state, ENDING, LIMITED) == LIMITED) {
            DWORD written;
            WriteFile(GetStdHandle(STD_ERROR_HANDLE), limit.text, limit.len, &written, NULL);
            restore_page();
            TerminateProcess(GetCurrentProcess(), limit.code);
        }
    }
    return 0;
}

void sg_system_limit_time(int64_t seconds, const char *text, size_t len, int code)
{
    enum { TICKS = 10000000 }; /* per second */
    limit.text = text;
    limit.len = (DWORD)len;
    limit.code = (UINT)code;
    limit.most = (ULONGLONG)seconds * TICKS;
    InterlockedExchange(&limit.state, LIMITED);
    const HANDLE thread = CreateThread(NULL, 0, watch, NULL, 0, NULL);
    if (thread != NULL) {
        CloseHandle(thread);
    }
}

void sg_system_unlimit_time(void)
{
    if (InterlockedCompareExchange(&limit.state, UNLIMITED, LIMITED) == ENDING) {
        Sleep(INFINITE); /* the other thread ends the process */
    }
}
