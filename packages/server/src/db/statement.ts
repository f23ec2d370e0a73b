import type { CompiledQuery } from 'kysely'

/** A compiled write of the query layer (`compile()`). */
export type Statement = Pick<CompiledQuery, 'sql' | 'parameters'>

/**
 * Returns the statements to write in the same commit as a change. `id` is the id of the changed
 * object.
 */
export type ExtraStatements = (id: string) => readonly Statement[]

export const noExtraStatements: ExtraStatements = () => []
