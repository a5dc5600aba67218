// Preloaded under LeakSanitizer (tools/look_for_faults): drivers stay loaded to the end, so that the report of a leak
// has their names instead of addresses in what is unloaded by then.
extern "C" int dlclose(void*) { return 0; }
