/* Strings as pointer + length, a growable byte buffer, and small text functions. */
#ifndef SG_BASE_TEXT_H
#define SG_BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sg_str {
    const char *ptr; /* not NUL-terminated in general */
    size_t len;
} sg_str;

sg_str sg_str_from(const char *nul_terminated); /* NULL gives the empty string */
bool sg_str_eq(sg_str a, sg_str b);
bool sg_str_eqz(sg_str a, const char *b);
/* Takes the next word from a list separated by blanks; false at the end. */
bool sg_str_next_word(const char **list, sg_str *word);
bool sg_str_has_word(const char *list, sg_str wanted);

/* Growable buffer that owns its bytes. Start with zeros, end with sg_buf_free. NUL-terminated after
 * len once anything was added. */
typedef struct sg_buf {
    char *ptr;
    size_t len;
    size_t cap;
} sg_buf;

void sg_buf_free(sg_buf *buf);
void sg_buf_reserve(sg_buf *buf, size_t n); /* room for n more bytes and the NUL */
void sg_buf_add(sg_buf *buf, const void *bytes, size_t n);
void sg_buf_addz(sg_buf *buf, const char *s);
void sg_buf_addc(sg_buf *buf, char c);
void sg_buf_printf(sg_buf *buf, const char *fmt, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;
void sg_buf_vprintf(sg_buf *buf, const char *fmt, va_list ap)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 0)))
#endif
    ;
/* Adds the character at s, of n bytes, in a form that is safe on a terminal: \xNN for bytes that
 * are controls or not UTF-8, \u{NNNN} for characters that are invisible or reorder the line.
 * Returns the bytes used; *columns receives its width on a terminal. */
size_t sg_buf_add_visible_char(sg_buf *buf, const char *s, size_t n, size_t *columns);
/* The same for a full text, such as names from foreign files. */
void sg_buf_add_visible(sg_buf *buf, const char *s, size_t n);
void sg_buf_add_visiblez(sg_buf *buf, const char *s);
/* The same for lines of text: line feeds and tabs stay. */
void sg_buf_add_visible_lines(sg_buf *buf, const char *s, size_t n);
/* Adds a text quoted, if necessary, so that a POSIX shell reads it as one word. */
void sg_buf_add_shell(sg_buf *buf, const char *s);
/* Whether sg_buf_add_shell adds the text unquoted. */
bool sg_shell_is_plain(const char *s);
/* Adds a JSON string with its quotes. Bytes that are not UTF-8 become U+FFFD, and characters unsafe
 * on a terminal are escaped. */
void sg_buf_add_json(sg_buf *buf, const char *s, size_t n);
/* The same for a NUL-terminated text; null for NULL. */
void sg_buf_add_jsonz(sg_buf *buf, const char *s);
/* "key":"text", or null for NULL. The key needs no escapes. */
void sg_buf_add_member(sg_buf *buf, const char *key, const char *text);

/* Parses an integer independently of the locale: optional '-', decimal digits, and nothing else.
 * False for anything else or beyond int64. */
bool sg_parse_int64(sg_str s, int64_t *out);

/* Character classes that ignore the locale. */
bool sg_is_ident_start(int c);  /* [A-Za-z_] */
bool sg_is_ident(int c);        /* [A-Za-z0-9_] */
bool sg_str_is_ident(sg_str s); /* a C identifier; "" is not one */
bool sg_is_digit(int c);
bool sg_is_space(int c);

/* "did you mean": the candidate with the smallest edit distance (optimal string alignment, case
 * ignored) when it is at most max(1, len/3); NULL otherwise and for an empty word. Ties go to the
 * earlier candidate. */
const char *sg_suggest(sg_str word, const char *const *candidates, size_t count);

#endif
