import ArgumentParser
import ExportGenerator

GenerateExport.main()
