export interface ListPage<Item> {
  items: Item[]
  has_more: boolean
  next_cursor: string | null
}
