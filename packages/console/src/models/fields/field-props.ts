import type { ParameterSchema } from '../../api/types.ts'

/** What every kind of field gets. */
export interface FieldProps {
  /** The parameter's name in requests. */
  name: string
  label: string
  schema: ParameterSchema
  isRequired: boolean
  value: unknown
  /** What is wrong with the value. */
  message: string | null
  /** Undefined leaves the parameter out. */
  onChange: (value: unknown) => void
}
