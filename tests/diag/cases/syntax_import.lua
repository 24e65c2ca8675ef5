-- The first line of a Python file.
-- error@+1:8: syntax error near 'torch'; a spec imports nothing: split, concat, onnx and openvino are there, and require reads other Lua files
import torch
return torch.split { }
