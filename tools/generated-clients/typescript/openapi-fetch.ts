import createClient from 'openapi-fetch'
import { accountName, apiKey, baseUrl, check, image, imageUri } from './check.ts'
import type { paths } from './openapi-typescript/schema.ts'

const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${apiKey}` } })
const body = { model: 'imgA-5.0', prompt: 'a paper boat on a lake' } as const

function read<Data>({ data, error }: { data?: Data; error?: unknown }): Data {
  if (data === undefined) throw new Error(JSON.stringify(error))
  return data
}

const models = read(await client.GET('/v2/model-center/models', { params: { query: { limit: 5 } } }))
check('the page of models', models.items.length === 5 && models.has_more)
const quote = read(await client.POST('/v2/model-center/tasks/quote', { body }))
check('the quote', quote.available && quote.amount > 0)

const ids: string[] = []
for (const order of ['one', 'two']) {
  const params = { header: { 'Idempotency-Key': `${accountName}-${order}` } }
  const submitted = read(await client.POST('/v2/model-center/tasks', { body, params }))
  check('the price', submitted.amount === quote.amount)
  ids.unshift(submitted.id)
}
for (const id of ids) {
  const task = read(await client.GET('/v2/model-center/tasks/{id}', { params: { path: { id }, query: { wait: 60 } } }))
  check('the completed task', task.status === 'completed' && task.result_url !== undefined)
}
const firstPage = read(await client.GET('/v2/model-center/tasks', { params: { query: { limit: 1 } } }))
check('the cursor', firstPage.next_cursor !== null)
const query = { limit: 1, cursor: firstPage.next_cursor }
const secondPage = read(await client.GET('/v2/model-center/tasks', { params: { query } }))
check('the pages', [...firstPage.items, ...secondPage.items].map(({ id }) => id).join() === ids.join())

const bodySerializer = () => {
  const form = new FormData()
  form.append('file', image, 'picture.png')
  return form
}
// `file` is a string in the types; the serializer sends the image itself.
const asset = read(await client.POST('/v2/assets', { body: { file: '' }, bodySerializer }))
const imported = read(await client.POST('/v2/assets/import', { body: { url: imageUri } }))
check('the asset', asset.content_type === 'image/png' && imported.id === asset.id)
const csv = read(await client.GET('/v2/usage.csv', { parseAs: 'text' }))
check('the CSV', csv.startsWith('day,'))

const account = read(await client.POST('/admin/v1/accounts', { body: { name: accountName } }))
const path = { id: account.id }
const key = read(await client.POST('/admin/v1/accounts/{id}/keys', { params: { path }, body: { scopes: ['tasks:read'] } }))
const granted = read(await client.POST('/admin/v1/accounts/{id}/grants', { params: { path }, body: { amount: 2.5 } }))
check('the account', key.key.startsWith('fg_live_') && key.scopes.join() === 'tasks:read' && granted.balance === 2.5)
