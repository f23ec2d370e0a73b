import type { CompiledQuery } from 'kysely'

/** A write of the query layer, after `compile()`. */
export type Statement = Pick<CompiledQuery, 'sql' | 'parameters'>

/** Statements to write in the commit of a change, for the id of the changed thing. */
export type ExtraStatements = (id: string) => readonly Statement[]

export const noExtraStatements: ExtraStatements = () => []
