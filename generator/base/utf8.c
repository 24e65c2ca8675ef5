/* UTF-8 decoding by the table of well-formed sequences in the Unicode standard (3.9), and a coarse
 * width table by blocks. */
#include "base/utf8.h"

size_t sg_utf8_decode(const char *s, size_t n, uint32_t *out)
{
    if (n == 0) {
        return 0;
    }
    const unsigned char *p = (const unsigned char *)s;
    uint32_t c = p[0];
    if (c < 0x80) {
        *out = c;
        return 1;
    }
    size_t len;
    uint32_t least;
    if (c >= 0xC2 && c <= 0xDF) {
        len = 2;
        least = 0x80;
        c &= 0x1F;
    } else if (c >= 0xE0 && c <= 0xEF) {
        len = 3;
        least = 0x800;
        c &= 0x0F;
    } else if (c >= 0xF0 && c <= 0xF4) {
        len = 4;
        least = 0x10000;
        c &= 0x07;
    } else {
        return 0;
    }
    if (n < len) {
        return 0;
    }
    for (size_t i = 1; i < len; i++) {
        if ((p[i] & 0xC0) != 0x80) {
            return 0;
        }
        c = c << 6 | (p[i] & 0x3Fu);
    }
    if (c < least || (c >= 0xD800 && c <= 0xDFFF) || c > 0x10FFFF) {
        return 0;
    }
    *out = c;
    return len;
}

typedef struct range {
    uint32_t first;
    uint32_t last;
    int width;
} range;

int sg_utf8_width(uint32_t c)
{
    /* Sorted; characters in no range take one column. */
    static const range ranges[] = {
        {0x0000, 0x001F, -1},   /* C0 controls */
        {0x007F, 0x009F, -1},   /* DEL, C1 controls */
        {0x00AD, 0x00AD, -1},   /* soft hyphen */
        {0x0300, 0x034E, 0},    /* combining diacritical marks */
        {0x034F, 0x034F, -1},   /* combining grapheme joiner */
        {0x0350, 0x036F, 0},    /* combining diacritical marks */
        {0x0483, 0x0489, 0},    /* combining Cyrillic */
        {0x0591, 0x05BD, 0},    /* Hebrew points */
        {0x061C, 0x061C, -1},   /* Arabic letter mark */
        {0x064B, 0x065F, 0},    /* Arabic marks */
        {0x1100, 0x115E, 2},    /* Hangul Jamo */
        {0x115F, 0x1160, -1},   /* Hangul fillers */
        {0x17B4, 0x17B5, -1},   /* Khmer vowels that are not displayed */
        {0x180B, 0x180F, -1},   /* Mongolian separators */
        {0x1AB0, 0x1AFF, 0},    /* combining diacritical marks extended */
        {0x1DC0, 0x1DFF, 0},    /* combining diacritical marks supplement */
        {0x200B, 0x200F, -1},   /* zero width characters, direction marks */
        {0x2028, 0x202E, -1},   /* line and paragraph separator, bidirectional embedding */
        {0x2060, 0x206F, -1},   /* word joiner, bidirectional isolates */
        {0x20D0, 0x20FF, 0},    /* combining marks for symbols */
        {0x231A, 0x231B, 2},    /* watch, hourglass */
        {0x2E80, 0x303E, 2},    /* CJK radicals to CJK punctuation */
        {0x3041, 0x3163, 2},    /* kana to Hangul letters */
        {0x3164, 0x3164, -1},   /* Hangul filler */
        {0x3165, 0x4DBF, 2},    /* Hangul letters to CJK extension A */
        {0x4E00, 0xA4CF, 2},    /* CJK ideographs, Yi */
        {0xA960, 0xA97F, 2},    /* Hangul Jamo extended A */
        {0xAC00, 0xD7A3, 2},    /* Hangul syllables */
        {0xF900, 0xFAFF, 2},    /* CJK compatibility ideographs */
        {0xFE00, 0xFE0F, 0},    /* variation selectors */
        {0xFE10, 0xFE1F, 2},    /* vertical forms */
        {0xFE20, 0xFE2F, 0},    /* combining half marks */
        {0xFE30, 0xFE6F, 2},    /* CJK compatibility forms */
        {0xFEFF, 0xFEFF, -1},   /* byte order mark */
        {0xFF00, 0xFF60, 2},    /* fullwidth forms */
        {0xFFA0, 0xFFA0, -1},   /* halfwidth Hangul filler */
        {0xFFE0, 0xFFE6, 2},    /* fullwidth signs */
        {0xFFF0, 0xFFFB, -1},   /* unassigned, interlinear annotation */
        {0x1BCA0, 0x1BCA3, -1}, /* shorthand format controls */
        {0x1D173, 0x1D17A, -1}, /* musical format controls */
        {0x1F300, 0x1F64F, 2},  /* pictographs, emoticons */
        {0x1F680, 0x1F6FF, 2},  /* transport symbols */
        {0x1F900, 0x1FAFF, 2},  /* supplemental pictographs */
        {0x20000, 0x3FFFD, 2},  /* CJK extensions */
        {0xE0000, 0xE00FF, -1}, /* tags */
        {0xE0100, 0xE01EF, 0},  /* variation selectors supplement */
        {0xE01F0, 0xE0FFF, -1}, /* reserved for more variation selectors and tags */
    };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        if (c < ranges[i].first) {
            break;
        }
        if (c <= ranges[i].last) {
            return ranges[i].width;
        }
    }
    return 1;
}
