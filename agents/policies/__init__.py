"""Policies that ship with this package, as ONNX models that need no torch."""
