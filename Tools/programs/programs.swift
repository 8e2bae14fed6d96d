// This target depends on the programs of the demonstration, so that one plan of the build makes them
// side by side.
