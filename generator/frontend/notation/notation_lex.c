/* The lexer of the notation: one pass, no backtracking; its only state is the position. */
#include "frontend/notation/notation_lex.h"

#include <string.h>

#include "base/text.h"
#include "base/utf8.h"

void sg_notation_lexer_init(sg_notation_lexer *lexer, sg_diag *diag, const sg_source *source,
                            size_t begin, size_t end)
{
    lexer->diag = diag;
    lexer->source = source;
    lexer->at = begin;
    lexer->end = end;
    lexer->last_end = begin;
}

/* The byte `ahead` bytes after the position, or -1 at the end. */
static int peek(const sg_notation_lexer *lexer, size_t ahead)
{
    if (ahead >= lexer->end - lexer->at) {
        return -1;
    }
    return (unsigned char)lexer->source->text[lexer->at + ahead];
}

static void skip_blanks_and_comments(sg_notation_lexer *lexer)
{
    bool comment = false;
    for (; lexer->at < lexer->end; lexer->at++) {
        int c = peek(lexer, 0);
        if (c == '#') {
            comment = true;
        } else if (c == '\n' || c == '\r') {
            comment = false;
        } else if (!comment && !sg_is_space(c)) {
            return;
        }
    }
}

/* Characters that editors and web pages put in place of ASCII. */
static const char *plain_form(uint32_t code)
{
    static const struct {
        uint32_t code;
        const char *plain;
    } forms[] = {
        {0x2192, "'->'"},    {0x21D2, "'->'"},    {0x27F6, "'->'"},    {0x2190, "'<-'"},
        {0x21D0, "'<-'"},    {0x27F5, "'<-'"},    {0x00D7, "a comma"}, {0x2212, "'-'"},
        {0x2010, "'-'"},     {0x2013, "'-'"},     {0x2014, "'-'"},     {0x00A0, "a blank"},
        {0x202F, "a blank"}, {0x3000, "a blank"}, {0xFF0C, "','"},     {0xFF1A, "':'"},
        {0xFF1B, "';'"},     {0xFF20, "'@'"},     {0xFF3B, "'['"},     {0xFF3D, "']'"},
        {0xFF0A, "'*'"},     {0x2217, "'*'"},     {0x2215, "'/'"},     {0x2044, "'/'"},
    };
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        if (forms[i].code == code) {
            return forms[i].plain;
        }
    }
    return NULL;
}

/* Reports a byte that is not printable ASCII. The message gives its number, because the character
 * might be invisible or look like another one. */
static bool bad_byte(const sg_notation_lexer *lexer)
{
    unsigned byte = (unsigned)peek(lexer, 0);
    uint32_t code = 0;
    size_t n = sg_utf8_decode(lexer->source->text + lexer->at, lexer->end - lexer->at, &code);
    sg_span span = sg_span_make(lexer->source, lexer->at, lexer->at + (n > 0 ? n : 1));
    if (byte == 0) {
        return sg_diag_error(lexer->diag, span, "unexpected NUL byte");
    }
    if (byte < 0x80) {
        return sg_diag_error(lexer->diag, span, "unexpected control character 0x%02x", byte);
    }
    if (n > 0) {
        const char *plain = plain_form(code);
        return sg_diag_error(
            lexer->diag, span, "unexpected character U+%04X; the notation is plain ASCII%s%s",
            (unsigned)code, plain != NULL ? ": write " : "", plain != NULL ? plain : "");
    }
    return sg_diag_error(lexer->diag, span, "unexpected byte 0x%02x, which is not UTF-8", byte);
}

/* The length of a number and everything attached to it, so that '1e-3' or '8k' is reported as one
 * wrong number rather than two odd tokens. '->' ends a number. */
static size_t number_end(const sg_notation_lexer *lexer)
{
    size_t n = 1;
    for (;;) {
        int c = peek(lexer, n);
        bool sign = c == '+' || (c == '-' && peek(lexer, n + 1) != '>');
        if (!sign && c != '.' && !sg_is_ident(c)) {
            return n;
        }
        n++;
    }
}

static bool is_decimal(sg_str digits)
{
    for (size_t i = 0; i < digits.len; i++) {
        if (!sg_is_digit((unsigned char)digits.ptr[i])) {
            return false;
        }
    }
    return digits.len > 0;
}

static bool contains(sg_str s, const char *set)
{
    for (size_t i = 0; i < s.len; i++) {
        for (const char *c = set; *c != '\0'; c++) {
            if (s.ptr[i] == *c) {
                return true;
            }
        }
    }
    return false;
}

static bool bad_number(const sg_notation_lexer *lexer, sg_span span)
{
    enum { SHOWN = 40 }; /* characters of a long number */
    sg_str text = sg_span_text(span);
    int shown = text.len > SHOWN ? SHOWN : (int)text.len;
    const char *dots = text.len > SHOWN ? "..." : "";
    sg_str digits = text;
    if (text.ptr[0] == '-' || text.ptr[0] == '+') {
        digits.ptr++;
        digits.len--;
    }
    const char *why = "is not a decimal integer";
    if (is_decimal(digits)) {
        why = text.ptr[0] == '+' ? "has a sign that is not needed; leave the '+' out"
                                 : "does not fit in 64 bits";
    } else if (digits.len > 1 && digits.ptr[0] == '0' && contains(digits, "xXbBoO")) {
        why = "is not decimal; write it with the digits 0 to 9 only";
    } else if (contains(digits, "_")) {
        why = "is not a decimal integer; write its digits without '_'";
    } else if (contains(digits, "+")) {
        why = "is not a decimal integer; lengths have commas between, as in 'f32[2,12] @1 -> 4, 8'";
    } else if (contains(digits, "xX")) {
        why = "is not a decimal integer; numbers have commas between, as in 'f32[2,12] -> 4, 8'";
    } else if (contains(digits, ".eE")) {
        why = "is not an integer; write it without point and exponent";
    }
    return sg_diag_error(lexer->diag, span, "'%.*s%s' %s", shown, text.ptr, dots, why);
}

static bool lex_number(sg_notation_lexer *lexer, sg_notation_token *out)
{
    size_t n = number_end(lexer);
    out->kind = SG_NOTATION_INT;
    out->span = sg_span_make(lexer->source, lexer->at, lexer->at + n);
    if (!sg_parse_int64(sg_span_text(out->span), &out->value)) {
        return bad_number(lexer, out->span);
    }
    lexer->at += n;
    return true;
}

/* The length of an element type that is not a name (torch.float32, <f4, tensor(float)), or 0. */
static size_t type_end(const sg_notation_lexer *lexer)
{
    static const char tensor[] = "tensor(";
    const char *at = lexer->source->text + lexer->at;
    size_t n = strchr("<>=|", at[0]) != NULL;
    bool is_type = n > 0;
    size_t open = sizeof tensor - 1;
    if (lexer->end - lexer->at > open && memcmp(at, tensor, open) == 0) {
        while (sg_is_ident(peek(lexer, open))) {
            open++;
        }
        return peek(lexer, open) == ')' ? open + 1 : 0;
    }
    if (!sg_is_ident_start(peek(lexer, n))) {
        return 0;
    }
    for (; sg_is_ident(peek(lexer, n)) ||
           (peek(lexer, n) == '.' && sg_is_ident_start(peek(lexer, n + 1)));
         n++) {
        is_type = is_type || peek(lexer, n) == '.';
    }
    return is_type ? n : 0;
}

static sg_notation_kind punctuation(int c)
{
    switch (c) {
    case '@':
        return SG_NOTATION_AT;
    case '*':
        return SG_NOTATION_STAR;
    case '/':
        return SG_NOTATION_SLASH;
    case ':':
        return SG_NOTATION_COLON;
    case '[':
        return SG_NOTATION_LBRACKET;
    case ']':
        return SG_NOTATION_RBRACKET;
    case ',':
        return SG_NOTATION_COMMA;
    case ';':
        return SG_NOTATION_SEMI;
    case '=':
        return SG_NOTATION_EQUALS;
    case '?':
        return SG_NOTATION_QUESTION;
    default:
        return SG_NOTATION_OTHER;
    }
}

/* Whether the name of n bytes is 'view' before a colon and a length, as in 'view:64'. There it
 * marks the part; everywhere else it is an ordinary name. */
static bool marks_view(const sg_notation_lexer *lexer, size_t n)
{
    if (!sg_str_eqz((sg_str){lexer->source->text + lexer->at, n}, "view")) {
        return false;
    }
    while (sg_is_space(peek(lexer, n))) {
        n++;
    }
    if (peek(lexer, n) != ':') {
        return false;
    }
    do {
        n++;
    } while (sg_is_space(peek(lexer, n)));
    const int c = peek(lexer, n);
    return c == '*' || c == '-' || c == '+' || sg_is_digit(c);
}

bool sg_notation_lex(sg_notation_lexer *lexer, sg_notation_token *out)
{
    skip_blanks_and_comments(lexer);
    int c = peek(lexer, 0);
    int next = peek(lexer, 1);
    size_t n = 1;
    out->value = 0;
    if (c < 0) {
        /* At the last token, not after the blanks that follow it. */
        out->kind = SG_NOTATION_END;
        out->span = sg_span_make(lexer->source, lexer->last_end, lexer->last_end);
        return true;
    }
    if (sg_is_digit(c) || ((c == '-' || c == '+') && sg_is_digit(next))) {
        SG_TRY(lex_number(lexer, out));
        lexer->last_end = lexer->at;
        return true;
    }
    size_t type = type_end(lexer);
    if (type > 0) {
        out->kind = SG_NOTATION_TYPE;
        n = type;
    } else if (sg_is_ident_start(c)) {
        out->kind = SG_NOTATION_NAME;
        while (sg_is_ident(peek(lexer, n))) {
            n++;
        }
        if (marks_view(lexer, n)) {
            out->kind = SG_NOTATION_VIEW;
        }
    } else if (c == '-' && next == '>') {
        out->kind = SG_NOTATION_ARROW;
        n = 2;
    } else if (c == '<' && next == '-') {
        out->kind = SG_NOTATION_BACK;
        n = 2;
    } else if (c > ' ' && c < 0x7f) {
        out->kind = punctuation(c);
    } else {
        return bad_byte(lexer);
    }
    out->span = sg_span_make(lexer->source, lexer->at, lexer->at + n);
    lexer->at += n;
    lexer->last_end = lexer->at;
    return true;
}
