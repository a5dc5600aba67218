// A library by the name of the Vulkan loader, without any of its functions.
extern "C" int sluice_test_nothing() { return 0; }
