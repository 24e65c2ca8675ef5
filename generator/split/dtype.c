/* The element type table and its spellings: names and sizes, without rules about which op may use
 * which type. */
#include "split/dtype.h"

#include <stddef.h>
#include <string.h>

#include "foreign/foreign.h"

static const sg_dtype_info dtypes[] = {
#define SPLITGEN_DTYPE(id, number, name, bits, packed, ctype, kind, onnx, onnx_enum, ov,           \
                       precision, numpy, code, torch, c)                                           \
    {#id,       name, bits,      packed != 0,       #ctype, SG_DTYPE_KIND_##kind, onnx,            \
     onnx_enum, ov,   precision, {numpy, torch, c}, code},
#include "splitgen/dtypes.inc"
};

static const char *const people_names[SG_PEOPLE] = {"NumPy", "PyTorch", "C"};

/* The vocabulary in which a word is looked up. */
typedef enum vocabulary {
    OF_NUMPY = SG_PEOPLE_NUMPY,
    OF_TORCH = SG_PEOPLE_TORCH,
    OF_ANYONE, /* ONNX's words, and those whose meaning all vocabularies agree on */
    OF_ONNX,
    OF_OPENVINO
} vocabulary;

/* The prefixes of words. A longer prefix comes before its own beginning. */
static const struct {
    const char *text;
    vocabulary words;
} prefixes[] = {
    {"torch.", OF_TORCH},      {"np.", OF_NUMPY},
    {"numpy.", OF_NUMPY},      {"jnp.", OF_NUMPY},
    {"jax.numpy.", OF_NUMPY},  {"ml_dtypes.", OF_NUMPY},
    {"tf.", OF_ANYONE},        {"tensorflow.", OF_ANYONE},
    {"TensorProto.", OF_ONNX}, {"onnx.TensorProto.", OF_ONNX},
    {"ov.Type.", OF_OPENVINO}, {"openvino.Type.", OF_OPENVINO},
};

static char to_upper(char c)
{
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

static char to_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Whether spelling is word with every letter mapped. Mixed case is not accepted. */
static bool equals_mapped(sg_str spelling, const char *word, char (*map)(char))
{
    size_t i = 0;
    for (; i < spelling.len && word[i] != '\0'; i++) {
        if (spelling.ptr[i] != map(word[i])) {
            return false;
        }
    }
    return i == spelling.len && i > 0 && word[i] == '\0';
}

const sg_dtype_info *sg_dtype_get(sg_dtype dtype)
{
    return &dtypes[dtype];
}

const char *sg_packing_name(sg_packing packing)
{
    static const char *const names[] = {"", "lsb", "msb", "planes"};
    return names[packing];
}

sg_dtype sg_dtype_number(sg_dtype dtype)
{
    return dtype == SG_DTYPE_C64 ? SG_DTYPE_F32 : dtype == SG_DTYPE_C128 ? SG_DTYPE_F64 : dtype;
}

int sg_dtype_numbers(sg_dtype dtype)
{
    return sg_dtype_get(dtype)->bits / sg_dtype_get(sg_dtype_number(dtype))->bits;
}

int sg_packing_group(const sg_dtype_info *info)
{
    return 24 / info->bits;
}

/* ONNX writes types in lower case in its text format, and in upper case in TensorProto. */
static bool is_onnx(const sg_dtype_info *info, sg_str word)
{
    return info->onnx[0] != '\0' &&
           (sg_str_eqz(word, info->onnx) || equals_mapped(word, info->onnx, to_upper));
}

/* OpenVINO's IR reader accepts precisions in both cases too
 * (openvino/core/type/element_type.cpp). */
static bool is_openvino(const sg_dtype_info *info, sg_str word)
{
    return (info->openvino[0] != '\0' &&
            (sg_str_eqz(word, info->openvino) || equals_mapped(word, info->openvino, to_upper))) ||
           (info->precision[0] != '\0' &&
            (sg_str_eqz(word, info->precision) || equals_mapped(word, info->precision, to_lower)));
}

static bool is_own(const sg_dtype_info *info, sg_str word)
{
    return sg_str_eqz(word, info->name);
}

static bool find_standard(sg_str word, bool (*is)(const sg_dtype_info *, sg_str), sg_dtype *out)
{
    for (int i = 0; i < SG_DTYPE_COUNT; i++) {
        if (is(&dtypes[i], word)) {
            *out = (sg_dtype)i;
            return true;
        }
    }
    return false;
}

static bool find_of(sg_people people, sg_str word, sg_dtype *out)
{
    for (int i = 0; i < SG_DTYPE_COUNT; i++) {
        if (sg_str_has_word(dtypes[i].words[people], word)) {
            *out = (sg_dtype)i;
            return true;
        }
    }
    return false;
}

/* The type of a word without a prefix, if all vocabularies that have the word agree. clash: they
 * disagree. */
static bool find_agreed(sg_str word, sg_dtype *out, bool *clash)
{
    bool found = false;
    *clash = false;
    for (int people = 0; people < SG_PEOPLE; people++) {
        sg_dtype dtype = SG_DTYPE_COUNT;
        if (find_of((sg_people)people, word, &dtype)) {
            *clash = *clash || (found && dtype != *out);
            *out = dtype;
            found = true;
        }
    }
    return found && !*clash;
}

/* The standards come first, because their words occur in models, where they are unambiguous. */
static bool find_bare(sg_str word, sg_dtype *out)
{
    bool clash = false;
    return find_standard(word, is_own, out) || find_standard(word, is_onnx, out) ||
           find_standard(word, is_openvino, out) || find_agreed(word, out, &clash);
}

static bool find_in(vocabulary words, sg_str word, sg_dtype *out)
{
    switch (words) {
    case OF_NUMPY:
        return find_of(SG_PEOPLE_NUMPY, word, out);
    case OF_TORCH:
        return find_of(SG_PEOPLE_TORCH, word, out);
    case OF_ONNX:
        return find_standard(word, is_onnx, out);
    case OF_OPENVINO:
        return find_standard(word, is_openvino, out);
    case OF_ANYONE:
        break;
    }
    bool clash = false;
    return find_standard(word, is_onnx, out) || find_agreed(word, out, &clash);
}

static bool starts_with(sg_str s, const char *prefix)
{
    size_t len = strlen(prefix);
    return s.len >= len && memcmp(s.ptr, prefix, len) == 0;
}

static sg_str behind(sg_str s, size_t n)
{
    return (sg_str){s.ptr + n, s.len - n};
}

/* The index of the spelling's prefix in the table, or -1. */
static int prefix_of(sg_str spelling)
{
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
        if (starts_with(spelling, prefixes[i].text)) {
            return (int)i;
        }
    }
    return -1;
}

static bool find_code(sg_str code, sg_dtype *out)
{
    for (int i = 0; i < SG_DTYPE_COUNT && code.len > 0; i++) {
        if (sg_str_eqz(code, dtypes[i].code)) {
            *out = (sg_dtype)i;
            return true;
        }
    }
    return false;
}

static bool is_order(char c)
{
    return c == '<' || c == '>' || c == '=' || c == '|';
}

bool sg_dtype_find(sg_str spelling, sg_dtype *out)
{
    static const char open[] = "tensor(";
    const size_t nopen = sizeof open - 1;
    if (starts_with(spelling, open) && spelling.ptr[spelling.len - 1] == ')') {
        sg_str word = {spelling.ptr + nopen, spelling.len - nopen - 1};
        for (int i = 0; i < SG_DTYPE_COUNT; i++) {
            if (word.len > 0 && sg_str_eqz(word, dtypes[i].onnx)) {
                *out = (sg_dtype)i;
                return true;
            }
        }
        return false;
    }
    if (spelling.len > 1 && is_order(spelling.ptr[0])) {
        /* a single byte has no byte order */
        return find_code(behind(spelling, 1), out) &&
               (spelling.ptr[0] != '>' || dtypes[*out].bits == 8);
    }
    int prefix = prefix_of(spelling);
    if (prefix >= 0) {
        return find_in(prefixes[prefix].words, behind(spelling, strlen(prefixes[prefix].text)),
                       out);
    }
    return find_bare(spelling, out);
}

/* ---- messages for unknown spellings --------------------------------------------------------- */

/* Counts each digit in a text. */
static void count_digits(sg_str s, int counts[10])
{
    memset(counts, 0, 10 * sizeof counts[0]);
    for (size_t i = 0; i < s.len; i++) {
        if (sg_is_digit((unsigned char)s.ptr[i])) {
            counts[s.ptr[i] - '0']++;
        }
    }
}

/* Whether a word may be a misspelling of another: digits give the width, so they may be in another
 * order but must be the same digits. */
static bool same_width(sg_str a, sg_str b)
{
    int in_a[10];
    int in_b[10];
    count_digits(a, in_a);
    count_digits(b, in_b);
    return memcmp(in_a, in_b, sizeof in_a) == 0;
}

typedef struct candidates {
    sg_arena *arena;
    sg_str wrong;
    bool bare; /* without a prefix */
    const char *items[16 * SG_DTYPE_COUNT];
    size_t count;
} candidates;

static void offer(candidates *c, sg_str word, vocabulary words)
{
    sg_dtype dtype;
    int digits[10];
    int none[10] = {0};
    count_digits(c->wrong, digits);
    bool silent = memcmp(digits, none, sizeof none) == 0; /* without a width */
    bool takes = c->bare ? find_bare(word, &dtype) : find_in(words, word, &dtype);
    if (word.len > 0 && takes && (silent || same_width(c->wrong, word)) &&
        c->count < sizeof c->items / sizeof c->items[0]) {
        c->items[c->count++] = sg_arena_strndup(c->arena, word.ptr, word.len);
    }
}

const char *sg_dtype_suggest(sg_arena *arena, sg_str spelling)
{
    if (spelling.len > 0 && is_order(spelling.ptr[0])) {
        return NULL; /* all codes of two letters are similar */
    }
    int prefix = prefix_of(spelling);
    const char *before = prefix >= 0 ? prefixes[prefix].text : "";
    vocabulary words = prefix >= 0 ? prefixes[prefix].words : OF_ANYONE;
    candidates c = {.arena = arena, .wrong = behind(spelling, strlen(before)), .bare = prefix < 0};
    /* own names first: ties go to the earlier candidate */
    for (int i = 0; i < SG_DTYPE_COUNT && prefix < 0; i++) {
        offer(&c, sg_str_from(dtypes[i].name), words);
    }
    for (int i = 0; i < SG_DTYPE_COUNT; i++) {
        offer(&c, sg_str_from(dtypes[i].onnx), words);
        offer(&c, sg_str_from(dtypes[i].openvino), words);
        for (int people = 0; people < SG_PEOPLE; people++) {
            const char *list = dtypes[i].words[people];
            sg_str word;
            while (sg_str_next_word(&list, &word)) {
                offer(&c, word, words);
            }
        }
    }
    const char *near = sg_suggest(c.wrong, c.items, c.count);
    return near != NULL && prefix >= 0 ? sg_arena_printf(arena, "%s%s", before, near) : near;
}

const char *sg_dtype_problem(sg_arena *arena, sg_str spelling, const char *shown)
{
    sg_dtype dtype = SG_DTYPE_COUNT;
    bool clash = false;
    if (!find_agreed(spelling, &dtype, &clash) && clash) {
        const char *list = "";
        for (int people = 0; people < SG_PEOPLE; people++) {
            if (find_of((sg_people)people, spelling, &dtype)) {
                list = sg_arena_printf(arena, "%s%s'%s' in %s", list, list[0] != '\0' ? ", " : "",
                                       dtypes[dtype].name, people_names[people]);
            }
        }
        return sg_arena_printf(arena, "dtype '%s' is %s: write the one that is meant", shown, list);
    }
    if (spelling.len > 1 && spelling.ptr[0] == '>' && find_code(behind(spelling, 1), &dtype)) {
        return sg_arena_printf(
            arena,
            "dtype '%s' is big-endian, but kernels take elements in the byte order of their "
            "machine; a split moves them as they are, so '%s' will do",
            shown, dtypes[dtype].name);
    }
    if (find_code(spelling, &dtype)) {
        return sg_arena_printf(arena,
                               "unknown dtype '%s': NumPy's codes count bytes and need their byte "
                               "order, as in '%c%s', which is '%s'",
                               shown, dtypes[dtype].bits == 8 ? '|' : '<', shown,
                               dtypes[dtype].name);
    }
    const char *kinds = sg_foreign_word(SG_FOREIGN_DTYPE, spelling);
    if (kinds != NULL) {
        return sg_arena_printf(arena, "unknown dtype '%s'; %s", shown, kinds);
    }
    const char *near = sg_dtype_suggest(arena, spelling);
    if (near != NULL) {
        return sg_arena_printf(arena, "unknown dtype '%s'; did you mean '%s'?", shown, near);
    }
    return sg_arena_printf(arena, "unknown dtype '%s'; 'splitgen --help=types' lists them all",
                           shown);
}

/* ---- lists of spellings --------------------------------------------------------------------- */

/* Adds a spelling, with its prefix, to the list that begins at byte `from`, unless it is already
 * there. */
static void list_word(sg_buf *out, size_t from, const char *before, sg_str word)
{
    sg_buf whole = {0};
    sg_buf_addz(&whole, before);
    sg_buf_add(&whole, word.ptr, word.len);
    if (out->len == from || !sg_str_has_word(out->ptr + from, (sg_str){whole.ptr, whole.len})) {
        sg_buf_printf(out, " %s", whole.ptr);
    }
    sg_buf_free(&whole);
}

void sg_dtype_list(sg_dtype dtype, sg_buf *out)
{
    static const char *const before[SG_PEOPLE] = {"np.", "torch.", NULL};
    const sg_dtype_info *info = &dtypes[dtype];
    size_t from = out->len;
    sg_buf_addz(out, info->name);
    const char *standard[] = {info->onnx, info->openvino, info->precision};
    for (size_t i = 0; i < sizeof standard / sizeof standard[0]; i++) {
        if (standard[i][0] != '\0') {
            list_word(out, from, "", sg_str_from(standard[i]));
        }
    }
    for (int people = 0; people < SG_PEOPLE; people++) {
        const char *list = info->words[people];
        sg_str word;
        while (sg_str_next_word(&list, &word)) {
            sg_dtype found = SG_DTYPE_COUNT;
            if (find_bare(word, &found) && found == dtype) {
                list_word(out, from, "", word);
            } else if (before[people] != NULL) {
                list_word(out, from, before[people], word);
            }
        }
        if (people == SG_PEOPLE_NUMPY && info->code[0] != '\0') {
            list_word(out, from, info->bits == 8 ? "|" : "<", sg_str_from(info->code));
        }
    }
}

void sg_dtype_list_unclear(sg_buf *out)
{
    size_t from = out->len;
    for (int i = 0; i < SG_DTYPE_COUNT; i++) {
        for (int people = 0; people < SG_PEOPLE; people++) {
            const char *list = dtypes[i].words[people];
            sg_str word;
            while (sg_str_next_word(&list, &word)) {
                sg_dtype dtype = SG_DTYPE_COUNT;
                if (!find_bare(word, &dtype)) {
                    list_word(out, from, "", word);
                }
            }
        }
    }
}

void sg_dtype_list_prefixes(sg_buf *out)
{
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
        sg_buf_printf(out, "%s%s", i > 0 ? " " : "", prefixes[i].text);
    }
}
