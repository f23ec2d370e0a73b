import type { Task } from '../api/types.ts'
import { Icon } from '../parts/icon.tsx'
import { mediaUrl } from '../session/brand.ts'

const icons = { video: 'film', image: 'image', text: 'text' } as const

/**
 * The thumbnail of the result, the image itself if it has none, or an icon of the kind of result.
 */
export function Thumbnail({ task }: { task: Task }) {
  const url = task.thumbnail_url ?? (task.object === 'image' ? task.image_url : undefined)
  return (
    <span class="thumbnail">
      {url === undefined ? (
        <Icon name={icons[task.object]} />
      ) : (
        <img src={mediaUrl(url)} alt="" loading="lazy" decoding="async" />
      )}
    </span>
  )
}
