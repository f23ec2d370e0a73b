import type { Environment } from './env.ts'

/** A value of the configuration file. All scalars are strings. */
export type FileValue = string | null | FileValue[] | { [key: string]: FileValue }

interface Substitution {
  env: Environment
  label: string
  violations: string[]
}

/**
 * Replaces `${NAME}` with values of the environment. It works on parsed values, so that the
 * environment cannot change the structure of the file.
 */
export function substituteEnvironment<T>(value: T, substitution: Substitution): T
export function substituteEnvironment(value: unknown, substitution: Substitution): unknown {
  if (typeof value === 'string') return substituteText(value, substitution)
  if (Array.isArray(value)) return value.map((item) => substituteEnvironment(item, substitution))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, substituteEnvironment(item, substitution)]))
}

function substituteText(text: string, { env, label, violations }: Substitution): string {
  return text.replace(/\$\{([^}]*)\}/g, (_whole, name: string) => {
    const value = /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? env[name] : undefined
    if (!value) violations.push(`${label}: \${${name}} is not set in the environment.`)
    return value ?? ''
  })
}
