/* SHA-256 (FIPS 180-4), which names the files in what is made from them: nettle's, which uses the
 * processor's instructions for it where there are any. */
#ifndef SG_BASE_SHA256_H
#define SG_BASE_SHA256_H

#include <stdbool.h>
#include <stddef.h>

#include <nettle/sha2.h>

#include "base/arena.h"
#include "base/text.h"

/* 64 digits in lower case and the NUL. */
#define SG_SHA256_TEXT 65

typedef struct sg_sha256 {
    struct sha256_ctx state;
} sg_sha256;

void sg_sha256_init(sg_sha256 *hash);
void sg_sha256_add(sg_sha256 *hash, const void *bytes, size_t n);
/* Ends the message; the hash is spent. */
void sg_sha256_end(sg_sha256 *hash, char text[SG_SHA256_TEXT]);

/* Of a text of n bytes with CRLF taken for LF, so that a checkout with other line ends is the same
 * text; memory from the arena. */
const char *sg_sha256_text(sg_arena *arena, const char *text, size_t n);

/* Of all that can be read from fd on from where it stands, in steps of a few KiB. False with errno
 * set when reading fails. */
bool sg_sha256_fd(int fd, char text[SG_SHA256_TEXT]);
/* Of a whole file; a directory is EISDIR. Reads every byte: a GiB takes about a second. */
bool sg_sha256_file(const char *path, char text[SG_SHA256_TEXT]);

/* Appends the library's name and version. */
void sg_sha256_library(sg_buf *out);

#endif
