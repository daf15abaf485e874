"""Runs kernels of OpenCL C on a CPU: reads requests in JSON, one in a line, and writes an answer to each."""

import sys

# Modules in the current folder are not those that are imported.
sys.path = [path for path in sys.path if path]

import json
import os
import time
import warnings

import numpy
import pyopencl as cl

ADDRESS = {
    "clamp-to-edge": cl.addressing_mode.CLAMP_TO_EDGE,
    "clamp-to-border": cl.addressing_mode.CLAMP,
    "repeat": cl.addressing_mode.REPEAT,
    "mirrored-repeat": cl.addressing_mode.MIRRORED_REPEAT,
}
FLAGS = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR


def cpu():
    for platform in cl.get_platforms():
        for device in platform.get_devices(cl.device_type.CPU):
            return device
    raise RuntimeError("there is no OpenCL device that is a CPU")


def format_of(name):
    """The format of a name such as rgba16-float."""
    channels, kind = name.split("-")
    order = channels.rstrip("0123456789")
    bits = channels[len(order) :]
    names = {
        "snorm": f"SNORM_INT{bits}",
        "unorm": f"UNORM_INT{bits}",
        "sint": f"SIGNED_INT{bits}",
        "uint": f"UNSIGNED_INT{bits}",
        "float": "HALF_FLOAT" if bits == "16" else "FLOAT",
    }
    return cl.ImageFormat(
        getattr(cl.channel_order, order.upper()), getattr(cl.channel_type, names[kind])
    )


class Server:
    def __init__(self):
        self.device = cpu()
        self.context = cl.Context([self.device])
        self.queue = cl.CommandQueue(self.context)

    def build(self, request):
        source = request.get("source") or bytes.fromhex(request["spirv"])
        program = cl.Program(self.context, source)
        self.program = program.build(request["options"], cache_dir=False)
        return {"device": f"{self.device.name}, {self.device.platform.version}"}

    def image(self, image, data):
        width, height, depth = image["size"]
        shapes = {
            "1d": (width,),
            "1d-array": (width, depth),
            "2d": (width, height),
            "2d-array": (width, height, depth),
            "3d": (width, height, depth),
        }
        name = image["dimensions"]
        shape = shapes[name]
        arguments = (self.context, FLAGS, format_of(image["format"]))
        if name == "1d-array":
            # `create_image` makes one with a single image. Old versions lack `desc`.
            description = cl.ImageDescriptor()
            description.image_type = cl.mem_object_type.IMAGE1D_ARRAY
            description.shape = (width, 1, 1)
            description.array_size = depth
            description.pitches = (0, 0)
            description.num_mip_levels = description.num_samples = 0
            memory = cl.Image(*arguments, desc=description, hostbuf=data)
        else:
            is_array = name.endswith("-array")
            create = getattr(cl, "create_image", cl.Image)
            memory = create(*arguments, shape, hostbuf=data, is_array=is_array)
        return memory, (*shape, 1, 1)[:3]

    def argument(self, argument):
        """The value, and for memory its bytes and the size of an image."""
        [(kind, value)] = argument.items()
        if kind in ("buffer", "image"):
            text = value if kind == "buffer" else value["texels"]
            data = bytearray.fromhex(text)
            if kind == "buffer":
                return cl.Buffer(self.context, FLAGS, hostbuf=data), (data, None)
            memory, region = self.image(value, data)
            return memory, (data, region)
        if kind == "value":
            return bytes.fromhex(value), None
        if kind == "local":
            return cl.LocalMemory(value), None
        if kind == "sampler":
            nearest, linear = cl.filter_mode.NEAREST, cl.filter_mode.LINEAR
            filter_mode = linear if value["filter"] == "linear" else nearest
            sampler = cl.Sampler(
                self.context, value["normalized"], ADDRESS[value["address"]], filter_mode
            )
            return sampler, None
        return None, None

    def run(self, request):
        kernel = cl.Kernel(self.program, request["kernel"])
        arguments = [self.argument(argument) for argument in request["arguments"]]
        for index, (value, _) in enumerate(arguments):
            kernel.set_arg(index, value)
        times = []
        for _ in range(request["runs"]):
            start = time.perf_counter_ns()
            cl.enqueue_nd_range_kernel(self.queue, kernel, request["global"], request["local"])
            self.queue.finish()
            times.append(time.perf_counter_ns() - start)
        results = []
        for value, memory in arguments:
            results.append(memory and self.read(value, *memory).hex())
        return {"ran": {"memory": results, "nanoseconds": times}}

    def read(self, memory, data, size):
        if size is None:
            cl.enqueue_copy(self.queue, data, memory)
            return data
        # `enqueue_copy` does not know all kinds of images.
        texels, _, row, _ = cl.enqueue_map_image(
            self.queue, memory, cl.map_flags.READ, (0, 0, 0), size, (len(data),), numpy.uint8
        )
        if row * size[1] * size[2] != len(data):
            raise RuntimeError("there are gaps between the rows of an image")
        return texels.tobytes()

    def answer(self, request):
        try:
            return self.build(request) if "options" in request else self.run(request)
        except Exception as error:
            lines = str(error).strip().splitlines()
            return {"error": next((line for line in lines if "error: " in line), lines[0])}


# Only answers are written to the output: kernels print to it, and compilers to the standard error.
answers = os.fdopen(os.dup(1), "w")
nothing = os.open(os.devnull, os.O_WRONLY)
os.dup2(nothing, 1)
warnings.simplefilter("ignore")
server = Server()
os.dup2(nothing, 2)
for line in sys.stdin:
    print(json.dumps(server.answer(json.loads(line))), file=answers, flush=True)
