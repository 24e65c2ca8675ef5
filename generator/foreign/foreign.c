/* Looks up words and files in the table of foreign.inc. */
#include "foreign/foreign.h"

#include <string.h>

#include "base/utf8.h"

static const struct {
    sg_foreign_place place;
    const char *word;
    const char *says;
} words[] = {
#define FOREIGN_WORD(place, word, says) {SG_FOREIGN_##place, word, says},
#include "foreign/foreign.inc"
};

static const struct {
    size_t at;
    const char *bytes;
    size_t length;
    const char *ending;
    const char *says;
} files[] = {
#define FOREIGN_FILE(at, bytes, ending, says) {at, bytes, sizeof bytes - 1, ending, says},
#include "foreign/foreign.inc"
};

static char folded(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c == '_' ? '-' : c;
}

/* Whether the bytes are equal; case does not matter, and '-' is '_'. */
static bool same(const char *a, const char *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (folded(a[i]) != folded(b[i])) {
            return false;
        }
    }
    return true;
}

const char *sg_foreign_word(sg_foreign_place place, sg_str word)
{
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (words[i].place == place && word.len == strlen(words[i].word) &&
            same(word.ptr, words[i].word, word.len)) {
            return words[i].says;
        }
    }
    return NULL;
}

bool sg_foreign_is_named(const char *path, const char *ending)
{
    const size_t len = strlen(path);
    const size_t n = strlen(ending);
    return len >= n && same(path + len - n, ending, n);
}

static bool is_control(char c)
{
    const unsigned char u = (unsigned char)c;
    return u < ' ' && !sg_is_space(u);
}

/* Text has no zero bytes, no control bytes at its beginning and few later, and is mostly UTF-8:
 * comments in older files may not be. */
static bool is_bytes(const char *head, size_t n)
{
    enum { BEGINNING = 16 };
    size_t controls = 0;
    size_t strays = 0; /* bytes that are not UTF-8 */
    for (size_t i = 0; i < n;) {
        uint32_t c;
        const size_t used = sg_utf8_decode(head + i, n - i, &c);
        if (head[i] == '\0' || (i < BEGINNING && is_control(head[i]))) {
            return true;
        }
        controls += is_control(head[i]) ? 1 : 0;
        strays += used == 0 ? 1 : 0;
        i += used > 0 ? used : 1;
    }
    return controls > n / 32 || controls + strays > n / 8;
}

const char *sg_foreign_file(const char *path, const char *head, size_t n)
{
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        if (n >= files[i].at + files[i].length &&
            same(head + files[i].at, files[i].bytes, files[i].length) &&
            sg_foreign_is_named(path, files[i].ending)) {
            return files[i].says;
        }
    }
    return is_bytes(head, n) || sg_foreign_is_named(path, ".onnx")
               ? "is neither a spec nor a model that splitgen reads: a spec is text in Lua, a "
                 "model is "
                 "ONNX (.onnx, .onnxtxt) or an IR of OpenVINO (.xml)"
               : NULL;
}
