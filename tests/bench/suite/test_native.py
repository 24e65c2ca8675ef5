"""Tests of the native side: the loop over packed elements, the checks, the copies, the clock.

usage: test_native.py FOLDER_OF_LIBRARIES"""

import ctypes as c
import sys
import unittest

sys.dont_write_bytecode = True

from cases import Split
from native import Buffers, Library, address, layout
from test_suite import kernel, packed

LIBRARY = None


def bits_of(memory, count, bits, msb):
    """The first `count` elements of a packed buffer, by the definition of the order."""
    stream = "".join(f"{byte:08b}" if msb else f"{byte:08b}"[::-1] for byte in memory)
    texts = [stream[i * bits:(i + 1) * bits] for i in range(count)]
    return [int(text if msb else text[::-1], 2) for text in texts]


class Native(unittest.TestCase):
    def call(self, function, buffers):
        c.CFUNCTYPE(None, c.c_void_p, c.c_void_p, c.c_void_p)(address(function))(
            c.addressof(buffers.shape), buffers.input(0), c.addressof(buffers.pointers[0]))

    def buffers(self, split):
        made = Buffers(LIBRARY, split, 1, "aligned", False)
        self.addCleanup(made.close)
        return made

    def outputs(self, buffers):
        return [c.string_at(pointer, size)
                for pointer, size in zip(buffers.outputs(0), buffers.split.output_bytes)]

    def test_packed_elements(self):
        for bits in (1, 2, 4):
            for order in ("lsb", "msb"):
                with self.subTest(bits=bits, order=order):
                    split = Split(packed(bits, [7, 9], [2, 0, 7], packing=order))
                    buffers, msb = self.buffers(split), order == "msb"
                    self.call(LIBRARY.lib.suite_packed_elements, buffers)
                    source = bits_of(c.string_at(buffers.input(0), split.bytes), 63, bits, msb)
                    first, empty, last = self.outputs(buffers)
                    self.assertEqual(bits_of(first, 14, bits, msb),
                                     [e for i, e in enumerate(source) if i % 9 < 2])
                    self.assertEqual(empty, b"")
                    self.assertEqual(bits_of(last, 49, bits, msb),
                                     [e for i, e in enumerate(source) if i % 9 >= 2])
                    self.assertEqual(buffers.wrong_output(), -1)

    def test_every_wrong_bit_is_found(self):
        for bits in (1, 2, 4):  # the unused bits of last bytes are among them
            split = Split(packed(bits, [5, 3], [1, 2]))
            buffers = self.buffers(split)
            self.call(LIBRARY.lib.suite_packed_elements, buffers)
            for i, pointer in enumerate(buffers.outputs(0)):
                output = (c.c_uint8 * split.output_bytes[i]).from_address(pointer)
                for bit in range(8 * len(output)):
                    output[bit // 8] ^= 1 << bit % 8
                    self.assertEqual(buffers.wrong_output(), i)
                    output[bit // 8] ^= 1 << bit % 8
            self.assertEqual(buffers.wrong_output(), -1)

    def test_bytes(self):
        buffers = self.buffers(Split(kernel()))
        self.assertEqual(buffers.wrong_output(), 0)
        for name in ("suite_memcpy_outputs", "suite_memcpy_rows"):
            buffers.poison(0)
            self.call(getattr(LIBRARY.lib, name), buffers)
            self.assertEqual(buffers.wrong_output(), -1)

    def test_every_wrong_byte_is_found(self):
        split = Split(kernel())
        buffers = self.buffers(split)
        self.call(LIBRARY.lib.suite_memcpy_rows, buffers)
        self.assertEqual(buffers.wrong_output(), -1)
        for i, pointer in enumerate(buffers.outputs(0)):
            output = (c.c_uint8 * split.output_bytes[i]).from_address(pointer)
            for at in range(len(output)):
                output[at] ^= 0x80
                self.assertEqual(buffers.wrong_output(), i)
                output[at] ^= 0x80
        self.assertEqual(buffers.wrong_output(), -1)

    def test_sets_lie_at_different_places(self):
        for placement, offsets in (("aligned", 5), ("odd", 5), ("congruent", 1)):
            split = Split(kernel(input={"shape": [2000, 6], "bytes": 12000}))
            buffers = Buffers(LIBRARY, split, 5, placement, False)
            self.addCleanup(buffers.close)
            distances = {(buffers.outputs(i)[0] - buffers.input(i)) % 4096 for i in range(5)}
            self.assertEqual(len(distances), offsets)
            spans = sorted((pointer, pointer + size) for i in range(5)
                           for pointer, size in zip(buffers.outputs(i), split.output_bytes))
            self.assertTrue(all(end <= start for (_, end), (start, _) in zip(spans, spans[1:])))

    def test_buffers_of_malloc_lie_behind_lines(self):
        for align, behind in ((1, 16), (16, 16), (32, 32), (64, 0)):
            places, _ = layout([100, 64, 3], "malloc", align)
            self.assertEqual([place % 64 for place in places], [behind] * 3)

    def test_a_changed_input_is_found(self):
        buffers = self.buffers(Split(kernel()))
        buffers.poison(0)
        self.call(LIBRARY.lib.suite_memcpy_rows, buffers)
        self.assertEqual(buffers.wrong_output(), -1)
        c.memset(buffers.input(0), 0x5A, buffers.split.bytes)
        self.call(LIBRARY.lib.suite_memcpy_rows, buffers)
        self.assertNotEqual(buffers.wrong_output(), -1)
        LIBRARY.memory.give_back(written=True)

    def test_memory_is_kept_and_inputs_are_random(self):
        small, large = Split(kernel()), Split(packed(4, [50000, 3], [1, 2]))
        before = c.string_at(self.buffers(small).input(0), small.bytes)
        first = c.string_at(self.buffers(large).input(0), large.bytes)
        for _ in range(2):
            second = Buffers(LIBRARY, large, 3, "aligned", False)
            inputs = {c.string_at(second.input(i), large.bytes) for i in range(3)}
            self.assertEqual(len(inputs), 3)
            LIBRARY.memory.give_back(written=True)
        again = self.buffers(large)
        self.assertEqual(c.string_at(again.input(0), large.bytes), first)
        again = self.buffers(small)
        self.assertEqual(c.string_at(again.input(0), small.bytes), before)

    def test_pieces_hold_the_bytes_of_the_input(self):
        # 15 elements: 8 bytes in, 3 and 5 bytes out; 9 elements of 1 bit: 2 in, 1 and 1 out.
        for split in (Split(packed(4, [5, 3], [1, 2])), Split(packed(1, [3, 3], [1, 2]))):
            buffers = self.buffers(split)
            for index in range(LIBRARY.copy_count()):
                if LIBRARY.copy_name(index):
                    buffers.poison(0)
                    copy = c.CFUNCTYPE(None, c.c_void_p, c.c_void_p, c.c_void_p)(
                        LIBRARY.copy_pieces(index))
                    copy(c.addressof(buffers.shape), buffers.input(0),
                         c.addressof(buffers.pointers[0]))
                    self.assertEqual(b"".join(self.outputs(buffers)),
                                     c.string_at(buffers.input(0), split.bytes))

    def test_clock(self):
        self.assertTrue(2e8 < LIBRARY.calibrate() < 1e10)


if __name__ == "__main__":
    LIBRARY = Library(sys.argv.pop(1))
    unittest.main()
