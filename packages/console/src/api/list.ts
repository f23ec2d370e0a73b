/** A page of a list of the API. */
export interface ListPage<Item> {
  items: Item[]
  has_more: boolean
  next_cursor: string | null
}
