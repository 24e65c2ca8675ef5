/* Nettle's SHA-256 of files and texts, as hexadecimal digits. */
#include "base/sha256.h"

#include <errno.h>

#include <nettle/version.h>

#include "base/system.h"

#define READ_BYTES 65536

void sg_sha256_init(sg_sha256 *hash)
{
    sha256_init(&hash->state);
}

void sg_sha256_add(sg_sha256 *hash, const void *bytes, size_t n)
{
    if (n > 0) { /* bytes may be NULL if n is 0 */
        sha256_update(&hash->state, n, bytes);
    }
}

void sg_sha256_end(sg_sha256 *hash, char text[SG_SHA256_TEXT])
{
    static const char digits[] = "0123456789abcdef";
    uint8_t digest[SHA256_DIGEST_SIZE];
#if NETTLE_VERSION_MAJOR >= 4
    sha256_digest(&hash->state, digest);
#else
    sha256_digest(&hash->state, sizeof digest, digest);
#endif
    for (size_t i = 0; i < sizeof digest; i++) {
        text[2 * i] = digits[digest[i] >> 4];
        text[2 * i + 1] = digits[digest[i] & 15];
    }
    text[2 * sizeof digest] = '\0';
}

const char *sg_sha256_text(sg_arena *arena, const char *text, size_t n)
{
    char *digits = sg_arena_alloc(arena, SG_SHA256_TEXT);
    sg_sha256 hash;
    sg_sha256_init(&hash);
    size_t begin = 0;
    for (size_t i = 1; i < n; i++) {
        if (text[i - 1] == '\r' && text[i] == '\n') {
            sg_sha256_add(&hash, text + begin, i - 1 - begin);
            begin = i;
        }
    }
    sg_sha256_add(&hash, text + begin, n - begin);
    sg_sha256_end(&hash, digits);
    return digits;
}

bool sg_sha256_fd(int fd, char text[SG_SHA256_TEXT])
{
    unsigned char buffer[READ_BYTES];
    sg_sha256 hash;
    sg_sha256_init(&hash);
    for (;;) {
        const int64_t n = sg_system_read(fd, buffer, sizeof buffer);
        if (n < 0) {
            return false;
        }
        if (n == 0) {
            sg_sha256_end(&hash, text);
            return true;
        }
        sg_sha256_add(&hash, buffer, (size_t)n);
    }
}

bool sg_sha256_file(const char *path, char text[SG_SHA256_TEXT])
{
    int fd = sg_system_open(path);
    if (fd < 0) {
        return false;
    }
    bool ok = sg_sha256_fd(fd, text);
    int error = errno;
    sg_system_close(fd);
    errno = error;
    return ok;
}

void sg_sha256_library(sg_buf *out)
{
    sg_buf_printf(out, "nettle %d.%d", nettle_version_major(), nettle_version_minor());
}
