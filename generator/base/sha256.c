/* SHA-256 as FIPS 180-4 describes it, sections 4.1.2, 4.2.2, 5 and 6.2. Knows no other hash. */
#include "base/sha256.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define READ_BYTES 16384

/* Section 4.2.2: the first 32 bits of the fractional parts of the cube roots of the first 64
 * primes. */
static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

void sg_sha256_init(sg_sha256 *hash)
{
    /* Section 5.3.3. */
    static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    memcpy(hash->state, start, sizeof start);
    hash->bytes = 0;
}

static uint32_t rotate(uint32_t x, unsigned n)
{
    return (x >> n) | (x << (32 - n));
}

/* Section 6.2.2. */
static void mix(uint32_t state[8], const unsigned char block[64])
{
    uint32_t w[64];
    for (size_t t = 0; t < 16; t++) {
        const unsigned char *p = block + 4 * t;
        w[t] = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
    }
    for (size_t t = 16; t < 64; t++) {
        uint32_t s0 = rotate(w[t - 15], 7) ^ rotate(w[t - 15], 18) ^ (w[t - 15] >> 3);
        uint32_t s1 = rotate(w[t - 2], 17) ^ rotate(w[t - 2], 19) ^ (w[t - 2] >> 10);
        w[t] = s1 + w[t - 7] + s0 + w[t - 16];
    }
    uint32_t a = state[0];
    uint32_t b = state[1];
    uint32_t c = state[2];
    uint32_t d = state[3];
    uint32_t e = state[4];
    uint32_t f = state[5];
    uint32_t g = state[6];
    uint32_t h = state[7];
    for (size_t t = 0; t < 64; t++) {
        uint32_t s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
        uint32_t t1 = h + s1 + ((e & f) ^ (~e & g)) + constants[t] + w[t];
        uint32_t s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
        uint32_t t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
        h = g;
        g = f;
        f = e;
        e = d + t1;
        d = c;
        c = b;
        b = a;
        a = t1 + t2;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
    state[5] += f;
    state[6] += g;
    state[7] += h;
}

void sg_sha256_add(sg_sha256 *hash, const void *bytes, size_t n)
{
    const unsigned char *p = bytes;
    while (n > 0) {
        size_t held = (size_t)(hash->bytes % 64);
        if (held == 0 && n >= 64) {
            mix(hash->state, p);
            hash->bytes += 64;
            p += 64;
            n -= 64;
            continue;
        }
        size_t step = n < 64 - held ? n : 64 - held;
        memcpy(hash->block + held, p, step);
        hash->bytes += step;
        p += step;
        n -= step;
        if (held + step == 64) {
            mix(hash->state, hash->block);
        }
    }
}

void sg_sha256_end(sg_sha256 *hash, char text[SG_SHA256_TEXT])
{
    /* Section 5.1.1: a one bit, zeros, and the length in bits in the last 8 bytes of a block. */
    unsigned char tail[72] = {0x80};
    uint64_t bits = hash->bytes * 8;
    size_t held = (size_t)(hash->bytes % 64);
    size_t zeros = held < 56 ? 56 - held : 120 - held;
    for (size_t i = 0; i < 8; i++) {
        tail[zeros + i] = (unsigned char)(bits >> (56 - 8 * i));
    }
    sg_sha256_add(hash, tail, zeros + 8);
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < 64; i++) {
        text[i] = digits[hash->state[i / 8] >> (28 - 4 * (i % 8)) & 15];
    }
    text[64] = '\0';
}

bool sg_sha256_fd(int fd, char text[SG_SHA256_TEXT])
{
    unsigned char buffer[READ_BYTES];
    sg_sha256 hash;
    sg_sha256_init(&hash);
    for (;;) {
        ssize_t n = read(fd, buffer, sizeof buffer);
        if (n == 0) {
            sg_sha256_end(&hash, text);
            return true;
        }
        if (n > 0) {
            sg_sha256_add(&hash, buffer, (size_t)n);
        } else if (errno != EINTR) {
            return false;
        }
    }
}

bool sg_sha256_file(const char *path, char text[SG_SHA256_TEXT])
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return false;
    }
    bool ok = sg_sha256_fd(fd, text);
    int error = errno;
    close(fd);
    errno = error;
    return ok;
}
