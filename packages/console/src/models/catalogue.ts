import { signal } from '@preact/signals'
import type { Model } from '../api/types.ts'
import { toApiError, type ApiError } from '../api/api-error.ts'
import { get } from '../api/call.ts'
import type { ListPage } from '../api/list.ts'
import { queryOf } from '../api/query.ts'

const pageSize = 100
const pagesMax = 50

/** All models that the key may see. Null until they are loaded. */
export const models = signal<readonly Model[] | null>(null)
export const modelsError = signal<ApiError | null>(null)

/** Loads the models. Until it has loaded all of them, and after an error, `models` is unchanged. */
export async function loadModels(): Promise<void> {
  try {
    const loadedModels: Model[] = []
    let cursor: string | null = null
    for (let page = 0; page < pagesMax; page++) {
      const { items, next_cursor }: ListPage<Model> = await get(`/v2/model-center/models${queryOf({ limit: pageSize, cursor })}`)
      loadedModels.push(...items)
      cursor = next_cursor
      if (cursor === null) break
    }
    models.value = loadedModels
    modelsError.value = null
  } catch (error) {
    modelsError.value = toApiError(error)
  }
}

export function modelPath(id: string, query = ''): string {
  return `/console/models/${encodeURIComponent(id)}${query}`
}
