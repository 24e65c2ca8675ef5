/* SHA-256 (FIPS 180-4), which identifies input files in the output. Nettle uses the processor's SHA
 * instructions if it has them. */
#ifndef SG_BASE_SHA256_H
#define SG_BASE_SHA256_H

#include <stdbool.h>
#include <stddef.h>

#include <nettle/sha2.h>

#include "base/arena.h"
#include "base/text.h"

/* 64 digits in lower case and a NUL. */
#define SG_SHA256_TEXT 65

typedef struct sg_sha256 {
    struct sha256_ctx state;
} sg_sha256;

void sg_sha256_init(sg_sha256 *hash);
void sg_sha256_add(sg_sha256 *hash, const void *bytes, size_t n);
/* Ends the message; the hash cannot be used again. */
void sg_sha256_end(sg_sha256 *hash, char text[SG_SHA256_TEXT]);

/* The hash of a text of n bytes with CRLF replaced by LF, so that checkouts with different line
 * endings have the same hash; in the arena. */
const char *sg_sha256_text(sg_arena *arena, const char *text, size_t n);

/* The hash of everything from the current position of fd on, read in steps of a few KiB. False with
 * errno set if reading fails. */
bool sg_sha256_fd(int fd, char text[SG_SHA256_TEXT]);
/* The hash of a file; EISDIR for a directory. Reads every byte: a GiB takes about a second. */
bool sg_sha256_file(const char *path, char text[SG_SHA256_TEXT]);

/* Appends the library's name and version. */
void sg_sha256_library(sg_buf *out);

#endif
