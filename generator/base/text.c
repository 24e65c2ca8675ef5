/* Strings, the growable buffer, integer parsing and spelling suggestions. */
#include "base/text.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/utf8.h"

sg_str sg_str_from(const char *nul_terminated)
{
    const char *s = nul_terminated ? nul_terminated : "";
    return (sg_str){s, strlen(s)};
}

bool sg_str_eq(sg_str a, sg_str b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

bool sg_str_eqz(sg_str a, const char *b)
{
    return sg_str_eq(a, sg_str_from(b));
}

bool sg_str_next_word(const char **list, sg_str *word)
{
    *list += strspn(*list, " ");
    *word = (sg_str){*list, strcspn(*list, " ")};
    *list += word->len;
    return word->len > 0;
}

bool sg_str_has_word(const char *list, sg_str wanted)
{
    sg_str word;
    while (sg_str_next_word(&list, &word)) {
        if (sg_str_eq(word, wanted)) {
            return true;
        }
    }
    return false;
}

void sg_buf_free(sg_buf *buf)
{
    free(buf->ptr);
    *buf = (sg_buf){0};
}

void sg_buf_reserve(sg_buf *buf, size_t n)
{
    if (n < buf->cap - buf->len) {
        return;
    }
    size_t wanted = n > SIZE_MAX - buf->len - 1 ? SIZE_MAX : buf->len + n + 1;
    size_t cap = buf->cap ? buf->cap : 64;
    while (cap < wanted) {
        cap = cap > SIZE_MAX / 2 ? SIZE_MAX : cap * 2;
    }
    buf->ptr = sg_xrealloc(buf->ptr, cap);
    buf->cap = cap;
}

void sg_buf_add(sg_buf *buf, const void *bytes, size_t n)
{
    sg_buf_reserve(buf, n);
    if (n) {
        memcpy(buf->ptr + buf->len, bytes, n);
    }
    buf->len += n;
    buf->ptr[buf->len] = '\0';
}

void sg_buf_addz(sg_buf *buf, const char *s)
{
    sg_buf_add(buf, s, strlen(s));
}

void sg_buf_addc(sg_buf *buf, char c)
{
    sg_buf_add(buf, &c, 1);
}

void sg_buf_vprintf(sg_buf *buf, const char *fmt, va_list ap)
{
    va_list again;
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, ap);
    if (n >= 0) {
        sg_buf_reserve(buf, (size_t)n);
        vsnprintf(buf->ptr + buf->len, (size_t)n + 1, fmt, again);
        buf->len += (size_t)n;
    }
    va_end(again);
}

void sg_buf_printf(sg_buf *buf, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    sg_buf_vprintf(buf, fmt, ap);
    va_end(ap);
}

size_t sg_buf_add_visible_char(sg_buf *buf, const char *s, size_t n, size_t *columns)
{
    uint32_t c;
    size_t used = sg_utf8_decode(s, n, &c);
    const int width = used > 0 ? sg_utf8_width(c) : -1;
    const size_t before = buf->len;
    if (width >= 0) {
        sg_buf_add(buf, s, used);
        *columns = (size_t)width;
        return used;
    }
    if (used <= 1) {
        sg_buf_printf(buf, "\\x%02x", (unsigned char)*s);
        used = 1;
    } else {
        sg_buf_printf(buf, "\\u{%04lx}", (unsigned long)c);
    }
    *columns = buf->len - before;
    return used;
}

void sg_buf_add_visible(sg_buf *buf, const char *s, size_t n)
{
    for (size_t i = 0; i < n;) {
        size_t columns;
        i += sg_buf_add_visible_char(buf, s + i, n - i, &columns);
    }
}

void sg_buf_add_visiblez(sg_buf *buf, const char *s)
{
    sg_buf_add_visible(buf, s, strlen(s));
}

void sg_buf_add_visible_lines(sg_buf *buf, const char *s, size_t n)
{
    size_t begin = 0;
    for (size_t i = 0; i < n; i++) {
        if (s[i] == '\n' || s[i] == '\t') {
            sg_buf_add_visible(buf, s + begin, i - begin);
            sg_buf_addc(buf, s[i]);
            begin = i + 1;
        }
    }
    sg_buf_add_visible(buf, s + begin, n - begin);
}

bool sg_shell_is_plain(const char *s)
{
    for (const char *p = s; *p != '\0'; p++) {
        if (!sg_is_ident((unsigned char)*p) && strchr("-+=./,:@%^", *p) == NULL) {
            return false;
        }
    }
    return s[0] != '\0';
}

void sg_buf_add_shell(sg_buf *buf, const char *s)
{
    if (sg_shell_is_plain(s)) {
        sg_buf_addz(buf, s);
        return;
    }
    sg_buf_addc(buf, '\'');
    for (const char *p = s; *p != '\0'; p++) {
        if (*p == '\'') {
            sg_buf_addz(buf, "'\\''");
        } else {
            sg_buf_addc(buf, *p);
        }
    }
    sg_buf_addc(buf, '\'');
}

/* \uNNNN; a surrogate pair for characters above U+FFFF. */
static void add_json_escape(sg_buf *buf, uint32_t c)
{
    enum { BEYOND = 0x10000, HIGH = 0xD800, LOW = 0xDC00, HALF_BITS = 10, HALF_MASK = 0x3FF };
    if (c >= BEYOND) {
        sg_buf_printf(buf, "\\u%04x", (unsigned)(HIGH + ((c - BEYOND) >> HALF_BITS)));
        c = LOW + ((c - BEYOND) & HALF_MASK);
    }
    sg_buf_printf(buf, "\\u%04x", (unsigned)c);
}

void sg_buf_add_json(sg_buf *buf, const char *s, size_t n)
{
    static const char escapes[] = "\b\t\n\f\r\"\\";
    static const char letters[] = "btnfr\"\\";
    sg_buf_addc(buf, '"');
    for (size_t i = 0; i < n;) {
        uint32_t c;
        size_t used = sg_utf8_decode(s + i, n - i, &c);
        const char *escape = used == 1 && c ? strchr(escapes, (int)c) : NULL;
        if (used == 0) {
            sg_buf_addz(buf, "\xEF\xBF\xBD");
            used = 1;
        } else if (escape) {
            sg_buf_addc(buf, '\\');
            sg_buf_addc(buf, letters[escape - escapes]);
        } else if (sg_utf8_width(c) < 0) {
            add_json_escape(buf, c);
        } else {
            sg_buf_add(buf, s + i, used);
        }
        i += used;
    }
    sg_buf_addc(buf, '"');
}

void sg_buf_add_jsonz(sg_buf *buf, const char *s)
{
    if (s == NULL) {
        sg_buf_addz(buf, "null");
    } else {
        sg_buf_add_json(buf, s, strlen(s));
    }
}

void sg_buf_add_member(sg_buf *buf, const char *key, const char *text)
{
    sg_buf_printf(buf, "\"%s\":", key);
    sg_buf_add_jsonz(buf, text);
}

bool sg_parse_int64(sg_str s, int64_t *out)
{
    bool negative = s.len > 0 && s.ptr[0] == '-';
    size_t i = negative ? 1 : 0;
    if (i == s.len) {
        return false;
    }
    /* counts down, because INT64_MIN has no positive counterpart */
    int64_t value = 0;
    for (; i < s.len; i++) {
        if (!sg_is_digit((unsigned char)s.ptr[i])) {
            return false;
        }
        int digit = s.ptr[i] - '0';
        if (value < (INT64_MIN + digit) / 10) {
            return false;
        }
        value = value * 10 - digit;
    }
    if (!negative && value == INT64_MIN) {
        return false;
    }
    *out = negative ? value : -value;
    return true;
}

bool sg_is_digit(int c)
{
    return c >= '0' && c <= '9';
}

bool sg_is_ident_start(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool sg_is_ident(int c)
{
    return sg_is_ident_start(c) || sg_is_digit(c);
}

bool sg_str_is_ident(sg_str s)
{
    for (size_t i = 0; i < s.len; i++) {
        if (!sg_is_ident((unsigned char)s.ptr[i])) {
            return false;
        }
    }
    return s.len > 0 && !sg_is_digit((unsigned char)s.ptr[0]);
}

bool sg_is_space(int c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static int lower(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : (unsigned char)c;
}

static size_t min2(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Optimal string alignment: insertions, deletions, substitutions and swaps of neighbours. rows has
 * 3 * (b.len + 1) entries: the row before the last, the last, the current one. */
static size_t edit_distance(sg_str a, sg_str b, size_t *rows)
{
    size_t width = b.len + 1;
    size_t *before = rows;
    size_t *last = rows + width;
    size_t *now = rows + 2 * width;
    for (size_t j = 0; j < width; j++) {
        last[j] = j;
    }
    for (size_t i = 1; i <= a.len; i++) {
        now[0] = i;
        for (size_t j = 1; j <= b.len; j++) {
            size_t differs = lower(a.ptr[i - 1]) != lower(b.ptr[j - 1]);
            size_t best = min2(min2(last[j], now[j - 1]) + 1, last[j - 1] + differs);
            if (i > 1 && j > 1 && lower(a.ptr[i - 1]) == lower(b.ptr[j - 2]) &&
                lower(a.ptr[i - 2]) == lower(b.ptr[j - 1])) {
                best = min2(best, before[j - 2] + 1);
            }
            now[j] = best;
        }
        size_t *recycled = before;
        before = last;
        last = now;
        now = recycled;
    }
    return last[b.len];
}

const char *sg_suggest(sg_str word, const char *const *candidates, size_t count)
{
    if (word.len == 0) {
        return NULL;
    }
    size_t limit = word.len / 3 > 1 ? word.len / 3 : 1;
    const char *best = NULL;
    size_t *rows = NULL;
    size_t room = 0;
    for (size_t i = 0; i < count; i++) {
        sg_str candidate = sg_str_from(candidates[i]);
        size_t gap = candidate.len > word.len ? candidate.len - word.len : word.len - candidate.len;
        if (gap > limit) {
            continue;
        }
        size_t needed = 3 * (candidate.len + 1);
        if (needed > room) {
            rows = sg_xrealloc(rows, needed * sizeof *rows);
            room = needed;
        }
        size_t distance = edit_distance(word, candidate, rows);
        if (distance <= limit) {
            best = candidates[i];
            if (distance == 0) {
                break;
            }
            limit = distance - 1;
        }
    }
    free(rows);
    return best;
}
