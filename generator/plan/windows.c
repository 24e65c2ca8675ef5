/* Groups of narrow packed elements as one vector of bytes: which two neighbouring bytes every byte
 * of an output is shifted out of. Decides only whether that is cheaper than words. */
#include "base/checked.h"
#include "plan/bits.h"

/* A slot takes two permutes, two shifts and two logical instructions of a vector; a piece of a word
 * a load, a pick, a shift and an or. Measured on Zen 5 with u4 1 + 2 in L1: 7 pieces for 24 bytes
 * of input 15 GB/s, 3 slots for 63 bytes 50 GB/s. */
#define PIECES_PER_SLOT 1.5

/* What fits the registers: four index and shift vectors each, and the masks. */
#define SLOTS_MAX 5

/* Outputs written side by side. */
#define COLUMNS_MAX 8

/* Rows after which the input and all columns are at a whole byte again. */
static int64_t period(const sg_bits *bits)
{
    int64_t common = sg_gcd64(8, bits->row_bits);
    for (int64_t c = 0; c < bits->ncolumns; ++c) {
        common = sg_gcd64(common, bits->columns[c].width);
    }
    return 8 / common;
}

/* One run of bits within an output byte: bits [to, end) from the input's bit `from` on. */
static void add_run(sg_bit_slot *slot, int64_t byte, int64_t to, int64_t end, int64_t from)
{
    /* The first byte may lie before the vector, the second behind it, when no bit of it is used. */
    const int64_t window = from - to + 8;
    const int64_t second = window / 8;
    slot->first[byte] = (uint8_t)(second > 0 ? second - 1 : 0);
    slot->second[byte] = (uint8_t)(second < SG_BIT_VECTOR ? second : SG_BIT_VECTOR - 1);
    slot->shift[byte] = (uint8_t)(window % 8);
    for (; to < end; ++to) {
        slot->mask[byte] |= (uint8_t)(1U << to);
    }
}

/* Fills the window of a column; false where a byte has more runs than there are slots. */
static bool build_window(const sg_bits *bits, const sg_bit_column *column, int64_t rows,
                         sg_bit_slot *slots, sg_bit_window *window)
{
    window->bytes = rows * column->width / 8;
    window->nslots = 0;
    window->slots = slots;
    for (int64_t byte = 0; byte < window->bytes; ++byte) {
        int64_t n = 0;
        for (int64_t bit = 0; bit < 8;) {
            const int64_t from = sg_bits_source(bits, column, 8 * byte + bit);
            int64_t end = bit + 1;
            while (end < 8 && sg_bits_source(bits, column, 8 * byte + end) == from + end - bit) {
                ++end;
            }
            if (n == SLOTS_MAX) {
                return false;
            }
            add_run(&slots[n++], byte, bit, end, from);
            bit = end;
        }
        window->nslots = n > window->nslots ? n : window->nslots;
    }
    return true;
}

/* Loads the words of an output take: one for every word of the input they span, or one for every
 * field where these are further apart. */
static double pieces(const sg_bits *bits, int64_t rows)
{
    double n = 0;
    for (int64_t c = 0; c < bits->ncolumns; ++c) {
        const double spanned = (double)(rows * bits->row_bits) / 64;
        n += spanned < (double)rows ? spanned : (double)rows;
    }
    return n;
}

bool sg_windows_build(sg_arena *arena, sg_bits *bits)
{
    const int64_t least = period(bits);
    const int64_t bytes = least * bits->row_bits / 8;
    if (bits->ncolumns > COLUMNS_MAX || bytes > SG_BIT_VECTOR) {
        return false;
    }
    const int64_t rows = SG_BIT_VECTOR / bytes * least;
    if (rows > bits->rows) {
        return false;
    }
    sg_bit_window *windows = SG_NEW_ARRAY(arena, sg_bit_window, bits->ncolumns);
    int64_t slots = 0;
    for (int64_t c = 0; c < bits->ncolumns; ++c) {
        sg_bit_slot *made = SG_NEW_ARRAY(arena, sg_bit_slot, SLOTS_MAX);
        if (!build_window(bits, &bits->columns[c], rows, made, &windows[c])) {
            return false;
        }
        slots += windows[c].nslots;
    }
    if (slots > SLOTS_MAX || PIECES_PER_SLOT * (double)slots > pieces(bits, rows)) {
        return false;
    }
    int64_t least_bytes = rows * bits->row_bits / 8;
    for (int64_t c = 0; c < bits->ncolumns; ++c) {
        least_bytes = windows[c].bytes < least_bytes ? windows[c].bytes : least_bytes;
    }
    bits->group_rows = rows;
    bits->windows = windows;
    bits->windows_behind = sg_ceil_div64(SG_BIT_VECTOR, least_bytes) - 1;
    return true;
}
