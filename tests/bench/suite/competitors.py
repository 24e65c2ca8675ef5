"""All competitors that are timed, behind one interface.

A competitor has `name`, `threads` and `kind`: splitgen, peer, limit (copies the bytes without splitting or
concatenating) or null. batch(runs) times this number of runs and keeps the result; samples() returns one (seconds
per run, usable) for each batch after all measurements, None for a lost one."""

import ctypes as c
import json
import os
import statistics
import time

import numpy

from native import Job, Sample, address


DRIFT = 0.02  # of the clock, from the loop of known cycles before and after a batch


class Unsupported(Exception):
    """This competitor does not support this case; the text says why."""


class Competitor:
    kind = "peer"
    threads = 1
    note = ""             # printed with its numbers
    first_run = 0.0       # seconds of the run that was checked, if there was one
    resolution = 0.0      # resolution of its clock in seconds
    most_runs = 1 << 40   # per batch
    place = 0             # selects the buffer sets of batches: work.sets_at(place)

    hertz = None          # of the clock during the run, if known

    def __init__(self, name):
        self.name = name
        self._samples = []

    def samples(self):
        return self._samples

    def forget(self):
        """Drops all samples."""
        self._samples.clear()

    def close(self):
        pass


class Native(Competitor):
    """A function of a shared library: plain is for the direction of the case, a suite_split_fn or a suite_join_fn;
    context is a suite_context_fn."""

    def __init__(self, name, work, plain=None, context=None, kind="peer", threads=1):
        super().__init__(name)
        self.kind, self.threads, self.work = kind, threads, work
        buffers = work.buffers
        self._hertz = []
        joins = work.op.joins
        self.job = Job(None if joins else plain, plain if joins else None, context,
                       c.pointer(buffers.shape), buffers.sets, buffers.count, 0,
                       int(work.pipeline))

    def batch(self, runs, warm):
        library, sample = self.work.library, Sample()
        sets = self.work.sets_at(self.place)
        self.job.sets, self.job.nsets = c.pointer(self.work.buffers.sets[sets[0]]), len(sets)
        library.stay()
        if self.threads > 1:
            self.work.buffers.shape.thread = library.thread_start()
        try:
            library.batch(self.job, warm, runs, sample)
        finally:
            if self.threads > 1:
                library.thread_stop(self.work.buffers.shape.thread)
            library.roam()
        self.job.first = (self.job.first + warm + runs) % self.job.nsets
        self._hertz.append(sample.hertz)
        self._samples.append((sample.seconds,
                              sample.drift <= DRIFT and sample.interruptions == 0,
                              sample.fastest * sample.most_hertz))
        return sample.seconds

    def once(self):
        """-> seconds."""
        first, pipeline = self.job.first, self.job.pipeline
        self.job.first = self.job.pipeline = 0
        seconds = self.batch(1, 0)
        self._samples.pop()
        self.job.first, self.job.pipeline = first, pipeline
        return seconds

    @property
    def hertz(self):
        return statistics.median(self._hertz)


class Interpreted(Competitor):
    """A competitor that is called from Python. _run(set) does one run and returns its seconds, or a value that
    _seconds() later converts to seconds."""

    def __init__(self, name, work):
        super().__init__(name)
        self.work = work
        self.turn = 0
        self._batches = []

    def batch(self, runs, warm):
        work, library = self.work, self.work.library
        self._begin()
        if self.threads == 1:
            library.stay()
        for _ in range(warm):
            self._run(self._next())
        interruptions = library.interruptions()
        before = library.calibrate()
        total, kept = 0.0, []
        start = time.perf_counter()
        for _ in range(runs):
            index = self._next()
            if work.pipeline:
                total += library.produce(work.buffers.shape, work.buffers.sets[index])
            kept.append(self._run(index))
            if work.pipeline:
                total += library.consume(work.buffers.shape, work.buffers.sets[index])
        wall = (time.perf_counter() - start) / runs
        after = library.calibrate()
        usable = (max(before, after) / min(before, after) - 1 <= DRIFT
                  and library.interruptions() == interruptions)
        library.roam()
        self._batches.append((kept, total / runs, usable, self._end(runs, warm)))
        if self.threads > 1:
            time.sleep(0.003)  # its threads keep spinning for a while
        return wall

    def _begin(self):
        pass

    def _end(self, runs, warm):
        """Seconds per run if _run() does not return them."""
        return None

    def _next(self):
        sets = self.work.sets_at(self.place)
        self.turn = (self.turn + 1) % len(sets)
        return sets[self.turn]

    def once(self):
        """Returns seconds, at least those of a run."""
        start = time.perf_counter()
        self._begin()
        self._run(0)
        self._once_done()
        return time.perf_counter() - start

    def _once_done(self):
        pass

    def samples(self):
        return [(extra + (statistics.fmean(kept) if whole is None else whole), usable)
                for kept, extra, usable, whole in self._batches]


_NUMPY = {1: "u1", 2: "u2", 4: "u4", 8: "u8", 16: "c16"}


def as_array(pointer, shape, element_bytes):
    count = int(numpy.prod(shape)) * element_bytes
    if not count:
        return numpy.empty(shape, _NUMPY[element_bytes])
    memory = (c.c_uint8 * count).from_address(pointer)
    return numpy.frombuffer(memory, _NUMPY[element_bytes]).reshape(shape)


class NumPy(Interpreted):
    """One assignment per part. The time includes the interpreter, as for its users."""

    def __init__(self, work):
        super().__init__("numpy", work)
        op, self.pairs = work.op, []
        for index in range(work.buffers.count):
            whole = as_array(work.buffers.whole(index), op.shape, op.element_bytes)
            start, pairs = 0, []
            for i, pointer in enumerate(work.buffers.parts(index)):
                cut = [slice(None)] * len(op.shape)
                cut[op.axis] = slice(start, start + op.lengths[i])
                start += op.lengths[i]
                if op.widths[i]:
                    part = as_array(pointer, op.part_shape(i), op.element_bytes)
                    pairs.append(op.read_and_written(whole[tuple(cut)], part))
            self.pairs.append(pairs)

    def _run(self, index):
        copy, pairs = numpy.copyto, self.pairs[index]
        start = time.perf_counter()
        for source, to in pairs:
            copy(to, source)
        return time.perf_counter() - start


def copies_in_a_graph(work):
    """The number of nodes of the same op in a graph. While the buffers fit the caches, the first node includes the
    cost of the runtime's other work; the others are as warm as the native loops."""
    footprint = 2 * work.op.bytes
    return 4 if footprint <= work.machine["l2"] and len(work.op.widths) <= 32 \
        and not work.pipeline else 1


class OnnxRuntime(Interpreted):
    """The node's time from ONNX Runtime's own profiler, in whole microseconds rounded down; half a microsecond is
    added. Works on the same buffers (IO binding). free: the model's first dimension is dynamic."""

    resolution = 1e-6
    most_runs = 40

    def __init__(self, work, threads, free=False):
        super().__init__("onnxruntime_free" if free else f"onnxruntime_{threads}", work)
        import onnxruntime
        from onnx import TensorProto, helper
        self.threads, op = threads, work.op
        types = {1: TensorProto.UINT8, 2: TensorProto.FLOAT16, 4: TensorProto.FLOAT,
                 8: TensorProto.INT64}
        if op.element_bytes not in types:
            raise Unsupported(f"no elements of {op.element_bytes} bytes")
        kind = types[op.element_bytes]
        self.copies, n = copies_in_a_graph(work), len(op.widths)
        wholes, parts, nodes = [], [], []

        def declared(shape):
            return ["batch", *shape[1:]] if free else shape

        for k in range(self.copies):
            names = [f"part{k}_{i}" for i in range(n)]
            wholes.append(helper.make_tensor_value_info(f"whole{k}", kind, declared(op.shape)))
            parts += [helper.make_tensor_value_info(name, kind, declared(op.part_shape(i)))
                      for i, name in enumerate(names)]
            if op.joins:
                nodes.append(helper.make_node("Concat", names, [f"whole{k}"], axis=op.axis))
            else:
                nodes.append(helper.make_node("Split", [f"whole{k}", "lengths"], names,
                                              axis=op.axis))
        lengths = helper.make_tensor("lengths", TensorProto.INT64, [n], op.lengths)
        constants = [] if op.joins else [lengths]
        model = helper.make_model(helper.make_graph(nodes, "suite",
                                                    *op.read_and_written(wholes, parts), constants),
                                  opset_imports=[helper.make_opsetid("", 18)], ir_version=8)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.enable_profiling = True
        options.profile_file_prefix = os.path.join(work.scratch, "onnxruntime")
        options.log_severity_level = 4
        # One node needs no optimisation, and equal nodes must stay separate.
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        try:
            self.session = onnxruntime.InferenceSession(model.SerializeToString(), options,
                                                        providers=["CPUExecutionProvider"])
        except Exception as error:
            raise Unsupported(str(error).splitlines()[0].split("FAIL : ")[-1][:120]) from error
        self.bindings = []
        for index in range(work.buffers.count):
            binding = self.session.io_binding()
            whole, part = op.read_and_written(binding.bind_input, binding.bind_output)
            for k in range(self.copies):
                whole(f"whole{k}", "cpu", 0, kind, op.shape, work.buffers.whole(index))
                for i, pointer in enumerate(work.buffers.parts(index)):
                    part(f"part{k}_{i}", "cpu", 0, kind, op.part_shape(i), pointer)
            self.bindings.append(binding)
        self.runs = 0
        self._times = None

    def _run(self, index):
        self.session.run_with_iobinding(self.bindings[index])
        self.runs += 1
        return self.runs - 1

    def _profile(self):
        path = self.session.end_profiling()
        with open(path, encoding="utf-8") as file:
            events = json.load(file)
        os.remove(path)
        nodes = [event["dur"] for event in events
                 if event.get("cat") == "Node" and event["name"].endswith("_kernel_time")]
        per_run = []
        for at in range(0, len(nodes), self.copies):
            times = nodes[at:at + self.copies]
            per_run.append(1e-6 * (0.5 + statistics.fmean(times[1:] or times)))
        return per_run

    def samples(self):
        if self._times is None:
            self._times = self._profile()
        result = []
        for kept, extra, usable, _ in self._batches:
            times = [self._times[i] for i in kept if i < len(self._times)]
            result.append((extra + statistics.fmean(times), usable) if times else None)
        return result

    def close(self):
        if self._times is None:
            os.remove(self.session.end_profiling())


class OpenVino(Interpreted):
    """The time of all nodes that ran, conversions included, from OpenVINO's performance counters. They are means
    since compilation, so every batch compiles the model again."""

    resolution = 1e-6
    most_runs = 200
    _WARM = 2

    def __init__(self, work, threads):
        super().__init__(f"openvino_{threads}", work)
        import openvino
        from openvino import opset13
        self.openvino, self.threads, op = openvino, threads, work.op
        types = {1: "u8", 2: "bf16", 4: "f32", 8: "i64"}
        if op.element_bytes not in types:
            raise Unsupported(f"no elements of {op.element_bytes} bytes")
        self.element = getattr(openvino.Type, types[op.element_bytes])
        self.copies = copies_in_a_graph(work)
        inputs, outputs = [], []
        try:
            for _ in range(self.copies):
                if op.joins:
                    parts = [opset13.parameter(op.part_shape(i), self.element)
                             for i in range(len(op.lengths))]
                    inputs += parts
                    outputs.append(opset13.concat(parts, op.axis).output(0))
                    continue
                whole = opset13.parameter(op.shape, self.element)
                node = opset13.variadic_split(whole, numpy.int64(op.axis),
                                              numpy.array(op.lengths, numpy.int64))
                inputs.append(whole)
                outputs += [node.output(i) for i in range(len(op.lengths))]
            self.model = openvino.Model(outputs, inputs, "suite")
            self.core = openvino.Core()
            self._begin()
        except Exception as error:
            raise Unsupported(str(error).strip().splitlines()[-1][:160]) from error
        self._look()

    def _tensor(self, pointer, shape):
        array = as_array(pointer, shape, self.work.op.element_bytes)
        return self.openvino.Tensor(array, self.openvino.Shape(shape), self.element)

    def _begin(self):
        op, buffers = self.work.op, self.work.buffers
        self.compiled = self.core.compile_model(self.model, "CPU", {
            "PERF_COUNT": "YES", "NUM_STREAMS": 1, "INFERENCE_NUM_THREADS": self.threads,
            "INFERENCE_PRECISION_HINT": "f32", "ENABLE_CPU_PINNING": False})
        self.requests = {}
        for index in self.work.sets_at(self.place):
            request = self.compiled.create_infer_request()
            whole = self._tensor(buffers.whole(index), op.shape)
            parts = [self._tensor(pointer, op.part_shape(i))
                     for i, pointer in enumerate(buffers.parts(index))]
            set_whole, set_part = op.read_and_written(request.set_input_tensor,
                                                      request.set_output_tensor)
            for k in range(self.copies):
                set_whole(k, whole)
                for i, part in enumerate(parts):
                    set_part(k * len(parts) + i, part)
            self.requests[index] = request
        self.runs = 0

    def _run(self, index):
        self.requests[index].infer()
        self.runs += 1
        if self.runs == self._WARM:
            self.early = self._total()
        return 0.0

    def _total(self):
        """Seconds in all nodes since the model was compiled."""
        request = next(iter(self.requests.values()))  # each of them reports the model's times
        return self.runs * sum(p.real_time.total_seconds() for p in request.profiling_info)

    def batch(self, runs, warm):
        return super().batch(runs, max(warm, self._WARM))

    def _end(self, runs, warm):
        spent = (self._total() - self.early) / (self.runs - self._WARM) / self.copies
        # Compiling does not free the old model; keep at most one alive.
        self.requests = self.compiled = None
        return max(spent, 0.0) + 0.5e-6

    def _look(self):
        """How the node ran: copied, aliased, or with a conversion."""
        self._run(0)
        info = self.requests[0].profiling_info
        found = [p for p in info if p.node_type in ("Split", "VariadicSplit", "Concat")]
        if any("Convert" in p.node_name for p in info):
            self.note = "converts the elements"
        elif not found or all(p.exec_type.startswith("unknown") for p in found):
            self.note = "view"
        self.requests = self.compiled = None

    def _once_done(self):
        self.requests = self.compiled = None


def function_in(library, name):
    return address(getattr(c.CDLL(library), name))


def kernel_in(library, name):
    """Address of a splitgen_kernel."""
    return c.addressof((c.c_char * 1).in_dll(c.CDLL(library), name))


def image_libraries(work):
    """libyuv, and cv::split or cv::merge, for the cases that they support."""
    op, library = work.op, work.library
    width, count = op.equal_columns(), len(op.widths)
    found = []
    yuv = {(1, 2): "2", (1, 3): "3", (1, 4): "4", (2, 2): "2_words"}.get((width, count))
    if yuv and library.libyuv and op.rows * op.row_bytes < 1 << 31:
        function = getattr(library.libyuv, f"suite_libyuv_{yuv}")
        found.append(Native("libyuv", work, context=address(function)))
    if width and 2 <= count <= 512 and library.opencv and op.rows < 1 << 31:
        function = library.opencv.suite_opencv
        found.append(Native("opencv", work, context=address(function)))
    return found
