import type { ParameterSchema } from '../../api/types.ts'

/** Properties of every kind of field. */
export interface FieldProps {
  /** The parameter's name in requests. */
  name: string
  label: string
  schema: ParameterSchema
  isRequired: boolean
  value: unknown
  /** Error message for the value. */
  message: string | null
  /** Sets the value. Undefined omits the parameter. */
  onChange: (value: unknown) => void
}
