import type { Kysely } from 'kysely'
import type { Tables } from '../db/tables.ts'

/**
 * A model that an operator has defined through the API. The document has the form of the
 * configuration file.
 */
export interface StoredModel {
  document: Readonly<Record<string, unknown>>
  createdAtMs: number
  changedAtMs: number
}

/**
 * Returns a string that changes whenever a stored model changes. It lets a process skip reading
 * thousands of models again if only keys, accounts or prices have changed.
 */
export async function stampOfStoredModels(database: Kysely<Tables>): Promise<string> {
  const { count, changed } = await database
    .selectFrom('stored_models')
    .select(({ fn }) => [fn.countAll().as('count'), fn.sum('changed_at').as('changed')])
    .executeTakeFirstOrThrow()
  return `${count} ${changed}`
}

const idsPerQuery = 500

/**
 * Reads the stored models, by id, oldest first. Models that have not changed remain the same
 * objects.
 */
export async function readStoredModels(
  database: Kysely<Tables>,
  previousModels: ReadonlyMap<string, StoredModel>,
): Promise<ReadonlyMap<string, StoredModel>> {
  const rows = await database
    .selectFrom('stored_models')
    .select(['id', 'created_at', 'changed_at'])
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const changedIds = rows.filter(({ id, changed_at }) => previousModels.get(id)?.changedAtMs !== changed_at).map(({ id }) => id)
  const documents = new Map<string, StoredModel['document']>()
  for (let start = 0; start < changedIds.length; start += idsPerQuery) {
    const ids = changedIds.slice(start, start + idsPerQuery)
    const changedRows = await database.selectFrom('stored_models').select(['id', 'definition']).where('id', 'in', ids).execute()
    for (const { id, definition } of changedRows) documents.set(id, JSON.parse(definition) as StoredModel['document'])
  }
  return new Map(
    rows.flatMap(({ id, created_at: createdAtMs, changed_at: changedAtMs }) => {
      const document = documents.get(id) ?? previousModels.get(id)?.document
      // The document is undefined if the model was deleted in the meantime.
      return document === undefined ? [] : [[id, { document, createdAtMs, changedAtMs }] as const]
    }),
  )
}
