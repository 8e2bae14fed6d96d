import hkstats

runProgram()
