import type { CompiledQuery } from 'kysely'

/** A write of the query layer, after `compile()`. */
export type Statement = Pick<CompiledQuery, 'sql' | 'parameters'>

/**
 * Returns the statements to write in the commit of a change. `id` is that of the changed object.
 */
export type ExtraStatements = (id: string) => readonly Statement[]

export const noExtraStatements: ExtraStatements = () => []
