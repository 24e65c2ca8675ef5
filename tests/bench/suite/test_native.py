"""Tests of the native side: the loop over packed elements, the checks, the copies, the clock.

usage: test_native.py FOLDER_OF_LIBRARIES"""

import ctypes as c
import sys
import unittest

sys.dont_write_bytecode = True

from cases import Op
from native import Buffers, Job, Library, Sample, address, layout
from test_suite import kernel, mirrored, packed

LIBRARY = None


def both(entry):
    """The split, and the concat that reverses it."""
    return Op(entry), Op(mirrored(entry))


def bits_of(memory, count, bits, msb):
    """The first `count` elements of a packed buffer, by the definition of the order."""
    stream = "".join(f"{byte:08b}" if msb else f"{byte:08b}"[::-1] for byte in memory)
    texts = [stream[i * bits:(i + 1) * bits] for i in range(count)]
    return [int(text if msb else text[::-1], 2) for text in texts]


class Native(unittest.TestCase):
    def call(self, function, buffers):
        c.CFUNCTYPE(None, c.c_void_p, c.c_void_p, c.c_void_p)(address(function))(
            c.addressof(buffers.shape), buffers.whole(0), c.addressof(buffers.pointers[0]))

    def buffers(self, op):
        made = Buffers(LIBRARY, op, 1, "aligned", False)
        self.addCleanup(made.close)
        return made

    def whole(self, buffers):
        return c.string_at(buffers.whole(0), buffers.op.bytes)

    def parts(self, buffers):
        return [c.string_at(pointer, size)
                for pointer, size in zip(buffers.parts(0), buffers.op.part_bytes)]

    def every_flip_is_found(self, buffers, bits, part_of):
        """Flips every bit of the outputs. part_of(buffer, bit) is where that should be found: a number, or None if
        it is unspecified."""
        for which, (pointer, size) in enumerate(buffers.written(0)):
            written = (c.c_uint8 * size).from_address(pointer)
            for bit in bits(size):
                written[bit // 8] ^= 1 << bit % 8
                self.assertEqual(buffers.wrong_part(), part_of(which, bit))
                written[bit // 8] ^= 1 << bit % 8
        self.assertEqual(buffers.wrong_part(), -1)

    def test_packed_elements(self):
        for bits in (1, 2, 4):
            for order in ("lsb", "msb"):
                for op in both(packed(bits, [7, 9], [2, 0, 7], packing=order)):
                    with self.subTest(bits=bits, order=order, joins=op.joins):
                        buffers, msb = self.buffers(op), order == "msb"
                        self.assertNotEqual(buffers.wrong_part(), -1)
                        self.call(LIBRARY.lib.suite_packed_elements, buffers)
                        whole = bits_of(self.whole(buffers), 63, bits, msb)
                        first, empty, last = self.parts(buffers)
                        self.assertEqual(bits_of(first, 14, bits, msb),
                                         [e for i, e in enumerate(whole) if i % 9 < 2])
                        self.assertEqual(empty, b"")
                        self.assertEqual(bits_of(last, 49, bits, msb),
                                         [e for i, e in enumerate(whole) if i % 9 >= 2])
                        self.assertEqual(buffers.wrong_part(), -1)

    def test_every_wrong_bit_is_found(self):
        for bits in (1, 2, 4):  # including the unused bits of last bytes
            for op in both(packed(bits, [5, 3], [1, 2])):
                buffers = self.buffers(op)
                self.call(LIBRARY.lib.suite_packed_elements, buffers)

                def part_of(which, bit):
                    element = bit // bits
                    if not op.joins:
                        return which
                    return 0 if element < 15 and element % 3 == 0 else 1
                self.every_flip_is_found(buffers, lambda size: range(8 * size), part_of)

    def test_bytes(self):
        for op in both(kernel()):
            buffers = self.buffers(op)
            self.assertEqual(buffers.wrong_part(), 0)
            for name in ("suite_memcpy_parts", "suite_memcpy_rows"):
                buffers.poison(0)
                self.assertEqual(buffers.wrong_part(), 0)
                self.call(getattr(LIBRARY.lib, name), buffers)
                self.assertEqual(buffers.wrong_part(), -1)
                whole, (first, last) = self.whole(buffers), self.parts(buffers)
                rows = [whole[at:at + 6] for at in range(0, 24, 6)]
                self.assertEqual(first, b"".join(row[:2] for row in rows))
                self.assertEqual(last, b"".join(row[2:] for row in rows))

    def test_every_wrong_byte_is_found(self):
        for op in both(kernel()):
            buffers = self.buffers(op)
            self.call(LIBRARY.lib.suite_memcpy_rows, buffers)
            self.assertEqual(buffers.wrong_part(), -1)

            def part_of(which, bit):
                return int(bit // 8 % 6 >= 2) if op.joins else which
            self.every_flip_is_found(buffers, lambda size: range(7, 8 * size, 8), part_of)

    def test_only_what_is_written_is_poisoned(self):
        for op in both(kernel()):
            buffers = self.buffers(op)
            read = [c.string_at(*one) for one in buffers.read(0)]
            buffers.poison(0)
            self.assertEqual([c.string_at(*one) for one in buffers.read(0)], read)
            self.assertEqual({byte for one in buffers.written(0) for byte in c.string_at(*one)},
                             {0xA5})

    def test_what_is_read_is_random(self):
        for op in both(kernel(input={"shape": [4000, 6], "bytes": 24000})):
            for pointer, size in self.buffers(op).read(0):
                self.assertEqual(len(set(c.string_at(pointer, size))), 256)

    def test_pipelines_produce_what_is_read_and_consume_what_is_written(self):
        for op in both(kernel()):
            buffers = self.buffers(op)
            read = [c.string_at(*one) for one in buffers.read(0)]
            written = [c.string_at(*one) for one in buffers.written(0)]
            self.assertGreater(LIBRARY.produce(buffers.shape, buffers.sets[0]), 0)
            for one, before in zip(buffers.read(0), read):
                self.assertNotEqual(c.string_at(*one), before)
            self.assertEqual([c.string_at(*one) for one in buffers.written(0)], written)
            self.assertGreater(LIBRARY.consume(buffers.shape, buffers.sets[0]), 0)
            LIBRARY.memory.give_back(written=True)

    def test_batches_run_either_direction(self):
        calls = []
        split = c.CFUNCTYPE(None, c.c_void_p, c.c_void_p)(lambda *places: calls.append(places))
        for op in both(kernel()):
            buffers, sample = self.buffers(op), Sample()
            job = Job(None if op.joins else address(split), address(split) if op.joins else None,
                      None, c.pointer(buffers.shape), buffers.sets, 1, 0, 0)
            LIBRARY.batch(job, 1, 2, sample)
            places = buffers.whole(0), c.addressof(buffers.pointers[0])
            self.assertEqual(calls, [op.read_and_written(*places)] * 3)
            calls.clear()

    def test_sets_lie_at_different_places(self):
        for placement, offsets in (("aligned", 5), ("odd", 5), ("congruent", 1)):
            for op in both(kernel(input={"shape": [2000, 6], "bytes": 12000})):
                buffers = Buffers(LIBRARY, op, 5, placement, False)
                self.addCleanup(buffers.close)
                distances = {(buffers.parts(i)[0] - buffers.whole(i)) % 4096 for i in range(5)}
                self.assertEqual(len(distances), offsets)
                spans = sorted((pointer, pointer + size) for i in range(5)
                               for pointer, size in buffers.read(i) + buffers.written(i))
                self.assertTrue(all(end <= start for (_, end), (start, _) in zip(spans, spans[1:])))

    def test_buffers_of_malloc_lie_behind_lines(self):
        for align, behind in ((1, 16), (16, 16), (32, 32), (64, 0)):
            places, _ = layout([100, 64, 3], "malloc", align)
            self.assertEqual([place % 64 for place in places], [behind] * 3)

    def test_a_change_of_what_is_read_is_found(self):
        for op in both(kernel()):
            buffers = self.buffers(op)
            buffers.poison(0)
            self.call(LIBRARY.lib.suite_memcpy_rows, buffers)
            self.assertEqual(buffers.wrong_part(), -1)
            for pointer, size in buffers.read(0):
                c.memset(pointer, 0x5A, size)
            self.call(LIBRARY.lib.suite_memcpy_rows, buffers)
            self.assertNotEqual(buffers.wrong_part(), -1)
            LIBRARY.memory.give_back(written=True)

    def test_memory_is_kept_and_its_bytes_are_random(self):
        small, large = Op(kernel()), Op(packed(4, [50000, 3], [1, 2]))
        before = c.string_at(self.buffers(small).whole(0), small.bytes)
        first = c.string_at(self.buffers(large).whole(0), large.bytes)
        for _ in range(2):
            second = Buffers(LIBRARY, large, 3, "aligned", False)
            wholes = {c.string_at(second.whole(i), large.bytes) for i in range(3)}
            self.assertEqual(len(wholes), 3)
            LIBRARY.memory.give_back(written=True)
        again = self.buffers(large)
        self.assertEqual(c.string_at(again.whole(0), large.bytes), first)
        again = self.buffers(small)
        self.assertEqual(c.string_at(again.whole(0), small.bytes), before)

    def test_pieces_hold_the_bytes_of_the_whole(self):
        # 15 elements: a full tensor of 8 bytes, parts of 3 and 5; 9 elements of 1 bit: 2, 1 and 1.
        for entry in (packed(4, [5, 3], [1, 2]), packed(1, [3, 3], [1, 2]), kernel()):
            for op in both(entry):
                buffers = self.buffers(op)
                for index in self.copies():
                    buffers.poison(0)
                    self.call(LIBRARY.copy_pieces(index), buffers)
                    self.assertEqual(b"".join(self.parts(buffers)), self.whole(buffers))

    def test_copies_of_all_bytes_in_one_piece(self):
        for op in both(kernel()):
            buffers = self.buffers(op)
            for index in self.copies():
                buffers.poison(0)
                self.call(LIBRARY.copy_whole(index), buffers)
                self.assertEqual(c.string_at(buffers.parts(0)[0], op.bytes), self.whole(buffers))

    def copies(self):
        return [index for index in range(LIBRARY.copy_count()) if LIBRARY.copy_name(index)]

    def test_clock(self):
        self.assertTrue(2e8 < LIBRARY.calibrate() < 1e10)


if __name__ == "__main__":
    LIBRARY = Library(sys.argv.pop(1))
    unittest.main()
