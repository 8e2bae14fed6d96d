public import HealthSamples

extension AnalysisError: CodedError {}
