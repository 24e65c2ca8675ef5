/* system: what differs between systems: files and descriptors, paths, folder contents, interrupts,
 * processor time, the command line. system_posix.c and system_windows.c implement the same
 * functions, and CMake chooses one of them; no other file depends on the target system.
 *
 * Paths are UTF-8 on Windows and arbitrary bytes elsewhere. Descriptors are the C library's; they
 * are not inherited, and read and write bytes without conversion. Every failure sets errno. */
#ifndef SG_BASE_SYSTEM_H
#define SG_BASE_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

/* Descriptors that are always open. */
enum { SG_STANDARD_INPUT, SG_STANDARD_OUTPUT, SG_STANDARD_ERROR };

typedef enum sg_system_kind {
    SG_SYSTEM_FILE, /* a regular file */
    SG_SYSTEM_FOLDER,
    SG_SYSTEM_FIFO, /* or a pipe; cannot be opened for writing until it has a reader */
    SG_SYSTEM_OTHER /* a device or socket */
} sg_system_kind;

typedef struct sg_system_info {
    sg_system_kind kind;
    int64_t size;
    uint64_t device; /* two files are the same if both numbers are equal */
    uint64_t number;
    uint32_t mode; /* mode, user and group are for sg_system_keep_rights */
    uint32_t user;
    uint32_t group;
} sg_system_info;

/* Makes standard input and output binary and the arguments UTF-8; main calls it first. */
void sg_system_start(int *argc, char ***argv);

/* --- paths --- */

bool sg_system_is_slash(char c);
/* Length of the drive prefix of a path ("C:"); 0 on systems without drives. */
size_t sg_system_drive(const char *path);
/* The absolute path without links and ".."; NULL if the file does not exist. */
const char *sg_system_real_path(sg_arena *arena, const char *path);
/* The path of the running program; NULL if the system does not provide it. */
const char *sg_system_program(sg_arena *arena);

/* --- queries --- */

bool sg_system_stat(const char *path, sg_system_info *info);
bool sg_system_stat_open(int fd, sg_system_info *info);
bool sg_system_is_same(const sg_system_info *a, const sg_system_info *b);
bool sg_system_is_terminal(int fd);
/* The names in a folder except "." and "..", unsorted; none if it cannot be read. */
const char **sg_system_names(sg_arena *arena, const char *folder, size_t *count);
/* The target of a symbolic link; NULL if the path is not a link. */
const char *sg_system_link(sg_arena *arena, const char *path);

/* --- reading --- */

/* -1 on failure. Opening a folder fails here or, on some systems, at the first read: EISDIR. */
int sg_system_open(const char *path);
/* Opens a path such as "a/b" below a folder ("" is the current one). If the path contains links,
 * the file must be in or below one of the folders `inside`, else EXDEV. Does not wait for the
 * writer of a FIFO. Devices are not opened, because opening may have an effect: ESPIPE. */
int sg_system_open_inside(sg_arena *arena, const char *folder, const char *path,
                          const char *const *inside, size_t ninside);
/* Returns the number of bytes read, which may be less than n before the end; 0 at the end, -1 on
 * failure. */
int64_t sg_system_read(int fd, void *bytes, size_t n);
/* The same at an offset of a regular file; does not move its position. */
int64_t sg_system_read_at(int fd, void *bytes, size_t n, int64_t offset);
int64_t sg_system_position(int fd); /* of a regular file */
bool sg_system_seek(int fd, int64_t offset);
bool sg_system_close(int fd);

/* --- writing --- */

int sg_system_create(const char *path); /* EEXIST if the path exists; -1 on failure */
/* Opens a pipe or device for writing without waiting; ENXIO: a FIFO has no reader yet. */
int sg_system_open_device(const char *path);
int sg_system_duplicate(int fd);
int64_t sg_system_write(int fd, const void *bytes, size_t n); /* bytes written, or -1 */
/* Waits until a pipe or device accepts bytes, or the time has passed. */
bool sg_system_wait(int fd, int milliseconds);
void sg_system_sleep(int milliseconds);
/* Gives a new file the permissions in info, and its owner if the process is allowed to. */
bool sg_system_keep_rights(int fd, const sg_system_info *info);
/* Whether the process may write the file, and whether the sticky bit of somebody else's folder
 * forbids replacing it. */
bool sg_system_may_write(const char *path);
bool sg_system_is_anothers(const sg_system_info *folder, const sg_system_info *file);
bool sg_system_rename(const char *from, const char *to); /* replaces an existing file */
bool sg_system_second_name(const char *path, const char *name);
bool sg_system_remove(const char *path);
bool sg_system_make_folder(const char *path);
bool sg_system_remove_folder(const char *path);
long sg_system_process(void);

/* --- interrupts --- */

/* Between hold and release, Ctrl-C and similar signals do not end the process but make pending
 * true; release delivers them. A closed pipe and a file beyond the size limit become write errors.
 * Not nested. */
void sg_system_hold_interrupts(void);
bool sg_system_interrupt_pending(void);
void sg_system_release_interrupts(void);

/* --- processor time --- */

/* When the process has used this many seconds, it writes the text to standard error and exits with
 * the code, without anything else. Does nothing in a browser, where the page ends the tool. */
void sg_system_limit_time(int64_t seconds, const char *text, size_t len, int code);
void sg_system_unlimit_time(void);

#endif
