import type { AppliedFile } from './applied-file.ts'
import type { Installation } from './installation.ts'
import type { Violation } from './located.ts'

export interface Planning {
  file: AppliedFile
  installation: Installation
  /** Whether to remove objects that are missing from the lists in the file. */
  shouldPrune: boolean
  /** Collects the violations that the plan finds. */
  violations: Violation[]
  baseUrl: string
}
