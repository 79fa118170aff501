"""All compiled loops. Import them from `tamis._kernels.loader`, which takes the compiled module or its source."""
