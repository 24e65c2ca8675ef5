/* The lexer of ONNX's textual syntax: one pass, no backtracking; its only state is the position. It
 * follows the rules of the onnx package's parser (defs/parser.h, ParserBase). */
#include "frontend/onnx/onnx_text_lex.h"

#include <string.h>

#include "base/text.h"
#include "base/utf8.h"
#include "shapes/graph.h"
#include "split/dtype.h"

void sg_onnx_text_lexer_init(sg_onnx_text_lexer *lexer, sg_diag *diag, const sg_source *source)
{
    lexer->diag = diag;
    lexer->source = source;
    lexer->at = 0;
    lexer->last_end = 0;
}

bool sg_onnx_text_is_blank(int c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

size_t sg_onnx_text_skip(const char *text, size_t len, size_t at)
{
    bool comment = false;
    for (; at < len; at++) {
        if (text[at] == '\n') {
            comment = false;
        } else if (text[at] == '#') {
            comment = true;
        } else if (!comment && !sg_onnx_text_is_blank((unsigned char)text[at])) {
            break;
        }
    }
    return at;
}

size_t sg_onnx_text_string(const char *text, size_t len, size_t at)
{
    for (size_t end = at + 1; end < len; end++) {
        if (text[end] == '"') {
            return end + 1 - at;
        }
        if (text[end] == '\\') {
            end++;
        }
    }
    return 0;
}

static bool is_letter(int c)
{
    return sg_is_ident_start(c) && c != '_';
}

static bool equals_ignoring_case(const char *s, size_t n, const char *lower)
{
    for (size_t i = 0; i < n; i++) {
        if ((s[i] | 0x20) != lower[i]) { /* both are letters */
            return false;
        }
    }
    return lower[n] == '\0';
}

size_t sg_onnx_text_float_word(const char *s, size_t n)
{
    enum { LONGEST = 8 }; /* "infinity" */
    size_t letters = 0;
    while (letters < n && letters <= LONGEST && is_letter((unsigned char)s[letters])) {
        letters++;
    }
    if (letters > LONGEST || (letters < n && sg_is_digit((unsigned char)s[letters]))) {
        return 0;
    }
    bool is_one = equals_ignoring_case(s, letters, "inf") ||
                  equals_ignoring_case(s, letters, "infinity") ||
                  equals_ignoring_case(s, letters, "nan");
    return is_one ? letters : 0;
}

/* The byte `ahead` bytes after the position, or -1 at the end. */
static int peek(const sg_onnx_text_lexer *lexer, size_t ahead)
{
    if (ahead >= lexer->source->len - lexer->at) {
        return -1;
    }
    return (unsigned char)lexer->source->text[lexer->at + ahead];
}

static sg_span span_of(const sg_onnx_text_lexer *lexer, size_t n)
{
    return sg_span_make(lexer->source, lexer->at, lexer->at + n);
}

/* Reports a byte that is not printable ASCII. The message gives its number, because the character
 * might be invisible or look like another one. */
static bool bad_byte(const sg_onnx_text_lexer *lexer)
{
    unsigned byte = (unsigned)peek(lexer, 0);
    uint32_t code = 0;
    size_t n =
        sg_utf8_decode(lexer->source->text + lexer->at, lexer->source->len - lexer->at, &code);
    sg_span span = span_of(lexer, n > 0 ? n : 1);
    if (byte == 0) {
        return sg_diag_error(lexer->diag, span, "unexpected NUL byte");
    }
    if (byte < 0x80) {
        return sg_diag_error(lexer->diag, span, "unexpected control character 0x%02x", byte);
    }
    if (code == 0xFEFF && n > 0) {
        return sg_diag_error(lexer->diag, span,
                             "unexpected byte order mark; ONNX text begins with its first token");
    }
    if (n > 0) {
        return sg_diag_error(lexer->diag, span,
                             "unexpected character U+%04X; names of other than ASCII letters are "
                             "written in double quotes",
                             (unsigned)code);
    }
    return sg_diag_error(lexer->diag, span, "unexpected byte 0x%02x, which is not UTF-8", byte);
}

static bool lex_string(sg_onnx_text_lexer *lexer, size_t *n)
{
    const char *text = lexer->source->text + lexer->at;
    *n = sg_onnx_text_string(lexer->source->text, lexer->source->len, lexer->at);
    if (*n == 0) {
        return sg_diag_error(lexer->diag, span_of(lexer, 1),
                             "this string has no end, expected '\"' before the end of the text");
    }
    const char *nul = memchr(text, '\0', *n);
    if (nul != NULL) {
        lexer->at += (size_t)(nul - text);
        return sg_diag_error(lexer->diag, span_of(lexer, 1),
                             "unexpected NUL byte in a string; names and texts end with one");
    }
    return true;
}

static size_t digits_end(const sg_onnx_text_lexer *lexer, size_t n)
{
    while (sg_is_digit(peek(lexer, n))) {
        n++;
    }
    return n;
}

/* Called at a digit or a '-'. */
static bool lex_number(sg_onnx_text_lexer *lexer, sg_onnx_text_kind *kind, size_t *n)
{
    size_t begin = peek(lexer, 0) == '-' ? 1 : 0;
    int first = peek(lexer, begin);
    if (!sg_is_digit(first)) {
        *kind = SG_ONNX_TEXT_FLOAT;
        size_t word = 0;
        if (is_letter(first)) {
            size_t rest = lexer->source->len - lexer->at - begin;
            word = sg_onnx_text_float_word(lexer->source->text + lexer->at + begin, rest);
        }
        *n = begin + word;
        if (word > 0) {
            return true;
        }
        bool blank = first >= 0 && sg_onnx_text_is_blank(first);
        return sg_diag_error(lexer->diag, span_of(lexer, 1),
                             blank ? "a blank follows '-', expected its number without one"
                                   : "'-' without a number, expected digits, inf or nan after it");
    }
    *kind = SG_ONNX_TEXT_INT;
    *n = digits_end(lexer, begin);
    if (peek(lexer, *n) == '.') {
        *kind = SG_ONNX_TEXT_FLOAT;
        *n = digits_end(lexer, *n + 1);
    }
    int e = peek(lexer, *n);
    if (e == 'e' || e == 'E') {
        *kind = SG_ONNX_TEXT_FLOAT;
        int sign = peek(lexer, *n + 1);
        size_t digits = *n + 1 + (sign == '+' || sign == '-');
        *n = digits_end(lexer, digits);
        if (*n == digits) {
            return sg_diag_error(lexer->diag, span_of(lexer, *n),
                                 "this number has no exponent, expected digits after its '%c'", e);
        }
    }
    return true;
}

/* Recognises names of types (defs/parser.h, PrimitiveTypeNameMap and KeyWordMap). */
static void classify(sg_onnx_text_token *token)
{
    static const struct {
        const char *word;
        sg_onnx_text_kind kind;
    } words[] = {
        {"seq", SG_ONNX_TEXT_SEQ},           {"map", SG_ONNX_TEXT_MAP},
        {"optional", SG_ONNX_TEXT_OPTIONAL}, {"sparse_tensor", SG_ONNX_TEXT_SPARSE},
        {"opaque", SG_ONNX_TEXT_OPAQUE},
    };
    sg_str text = sg_span_text(token->span);
    token->kind = SG_ONNX_TEXT_NAME;
    token->dtype = SG_GRAPH_DTYPE_UNKNOWN;
    if (sg_onnx_text_float_word(text.ptr, text.len) == text.len) {
        token->kind = SG_ONNX_TEXT_FLOATWORD;
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (sg_str_eqz(text, words[i].word)) {
            token->kind = words[i].kind;
        }
    }
    for (int dtype = 0; dtype < SG_DTYPE_COUNT; dtype++) {
        const char *onnx = sg_dtype_get((sg_dtype)dtype)->onnx;
        if (onnx[0] != '\0' && sg_str_eqz(text, onnx)) {
            token->kind = SG_ONNX_TEXT_PRIM;
            token->dtype = dtype;
        }
    }
}

static sg_onnx_text_kind punctuation(int c)
{
    static const char bytes[] = "?@.:=,()[]{}<>";
    static const sg_onnx_text_kind kinds[] = {
        SG_ONNX_TEXT_QMARK,    SG_ONNX_TEXT_AT,       SG_ONNX_TEXT_DOT,    SG_ONNX_TEXT_COLON,
        SG_ONNX_TEXT_EQ,       SG_ONNX_TEXT_COMMA,    SG_ONNX_TEXT_LPAREN, SG_ONNX_TEXT_RPAREN,
        SG_ONNX_TEXT_LBRACKET, SG_ONNX_TEXT_RBRACKET, SG_ONNX_TEXT_LBRACE, SG_ONNX_TEXT_RBRACE,
        SG_ONNX_TEXT_LT,       SG_ONNX_TEXT_GT,
    };
    const char *found = strchr(bytes, c);
    return found != NULL ? kinds[found - bytes] : SG_ONNX_TEXT_OTHER;
}

bool sg_onnx_text_lex(sg_onnx_text_lexer *lexer, sg_onnx_text_token *out)
{
    lexer->at = sg_onnx_text_skip(lexer->source->text, lexer->source->len, lexer->at);
    out->dtype = SG_GRAPH_DTYPE_UNKNOWN;
    int c = peek(lexer, 0);
    if (c < 0) {
        /* At the last token, not after the blanks that follow it. */
        out->kind = SG_ONNX_TEXT_END;
        out->span = sg_span_make(lexer->source, lexer->last_end, lexer->last_end);
        return true;
    }
    size_t n = 1;
    if (c == '"') {
        out->kind = SG_ONNX_TEXT_STRING;
        SG_TRY(lex_string(lexer, &n));
    } else if (c == '-' || sg_is_digit(c)) {
        SG_TRY(lex_number(lexer, &out->kind, &n));
    } else if (sg_is_ident_start(c)) {
        while (sg_is_ident(peek(lexer, n))) {
            n++;
        }
        out->span = span_of(lexer, n);
        classify(out);
    } else if (c == '=' && peek(lexer, 1) == '>') {
        out->kind = SG_ONNX_TEXT_ARROW;
        n = 2;
    } else if (c > ' ' && c < 0x7f) {
        out->kind = punctuation(c);
    } else {
        return bad_byte(lexer);
    }
    out->span = span_of(lexer, n);
    lexer->at += n;
    lexer->last_end = lexer->at;
    return true;
}
