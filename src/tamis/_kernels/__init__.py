"""All compiled modules. Import them from `tamis._kernels.loader`, which chooses the compiled module or its source."""
