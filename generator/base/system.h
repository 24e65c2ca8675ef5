/* What systems do differently: files and their descriptors, paths, names in folders, interrupts,
 * the command line. system_posix.c and system_windows.c have the same functions, and CMake takes
 * one of them; no other file asks for what system it is compiled.
 *
 * Paths are UTF-8 on Windows and the user's bytes elsewhere. Descriptors are the C library's, are
 * not inherited and read and write bytes as they are. Whatever fails sets errno. */
#ifndef SG_BASE_SYSTEM_H
#define SG_BASE_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

enum { SG_STANDARD_INPUT, SG_STANDARD_OUTPUT, SG_STANDARD_ERROR }; /* descriptors that are open */

typedef enum sg_system_kind {
    SG_SYSTEM_FILE, /* regular */
    SG_SYSTEM_FOLDER,
    SG_SYSTEM_FIFO, /* or a pipe; cannot be opened for writing before it has a reader */
    SG_SYSTEM_OTHER /* devices and sockets */
} sg_system_kind;

typedef struct sg_system_info {
    sg_system_kind kind;
    int64_t size;
    uint64_t device; /* files are the same if both numbers are */
    uint64_t number;
    uint32_t mode; /* these are for sg_system_keep_rights */
    uint32_t user;
    uint32_t group;
} sg_system_info;

/* Makes standard input and output binary, and the arguments UTF-8; main calls it first. */
void sg_system_start(int *argc, char ***argv);

/* --- paths --- */

bool sg_system_is_slash(char c);
/* Bytes of the drive that a path begins with ("C:"); 0 where paths have none. */
size_t sg_system_drive(const char *path);
/* The path of what it names without links and ".."; NULL: there is nothing. */
const char *sg_system_real_path(sg_arena *arena, const char *path);
/* Where the running program lies; NULL: the system does not say. */
const char *sg_system_program(sg_arena *arena);

/* --- what there is --- */

bool sg_system_stat(const char *path, sg_system_info *info);
bool sg_system_stat_open(int fd, sg_system_info *info);
bool sg_system_is_same(const sg_system_info *a, const sg_system_info *b);
bool sg_system_is_terminal(int fd);
/* The names in a folder but "." and "..", in no order; none if it cannot be read. */
const char **sg_system_names(sg_arena *arena, const char *folder, size_t *count);
/* What a symbolic link holds; NULL: it is none. */
const char *sg_system_link(sg_arena *arena, const char *path);

/* --- reading --- */

/* -1 on failure; a folder is an error here or, on some systems, of the first reading: EISDIR. */
int sg_system_open(const char *path);
/* Opens "a/b" below a folder ("" is the current one). Where a link is on the way, what is opened
 * must lie in one of the folders `inside`, anywhere below: EXDEV else. Does not wait for the writer
 * of a FIFO; devices are not opened where opening may do something: ESPIPE. */
int sg_system_open_inside(sg_arena *arena, const char *folder, const char *path,
                          const char *const *inside, size_t ninside);
/* Bytes that were read, fewer than n not only at the end; 0 at the end, -1 on failure. */
int64_t sg_system_read(int fd, void *bytes, size_t n);
/* The same from an offset on, of a regular file, whose position stays. */
int64_t sg_system_read_at(int fd, void *bytes, size_t n, int64_t offset);
int64_t sg_system_position(int fd); /* of a regular file */
bool sg_system_seek(int fd, int64_t offset);
bool sg_system_close(int fd);

/* --- writing --- */

int sg_system_create(const char *path); /* EEXIST if there is something; -1 on failure */
/* Opens a pipe or device for writing without waiting for it; ENXIO: a FIFO has no reader yet. */
int sg_system_open_device(const char *path);
int sg_system_duplicate(int fd);
int64_t sg_system_write(int fd, const void *bytes, size_t n); /* as many as were taken, or -1 */
/* Waits until a pipe or device takes bytes, or some milliseconds have passed. */
bool sg_system_wait(int fd, int milliseconds);
void sg_system_sleep(int milliseconds);
/* Gives a new file the permissions, and as far as one may the owner, that info has. */
bool sg_system_keep_rights(int fd, const sg_system_info *info);
/* Whether what a file has may be replaced, and whether somebody else's folder forbids it. */
bool sg_system_may_write(const char *path);
bool sg_system_is_anothers(const sg_system_info *folder, const sg_system_info *file);
bool sg_system_rename(const char *from, const char *to); /* in place of what stands there */
bool sg_system_second_name(const char *path, const char *name);
bool sg_system_remove(const char *path);
bool sg_system_make_folder(const char *path);
bool sg_system_remove_folder(const char *path);
long sg_system_process(void);

/* --- interrupts --- */

/* From hold to release Ctrl-C and its kin do not end the process, but pending is true; release lets
 * them. A closed pipe and a file beyond the limit are errors of the writing. Not nested. */
void sg_system_hold_interrupts(void);
bool sg_system_interrupt_pending(void);
void sg_system_release_interrupts(void);

#endif
