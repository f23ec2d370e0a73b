import { useState } from 'preact/hooks'
import type { Task } from '../api/types.ts'
import { duration, texts } from '../language/language.ts'
import { mediaUrl } from '../session/brand.ts'

/**
 * A result in the grid. A video plays muted while it is hovered or focused, unless the user prefers
 * reduced motion.
 */
export function GalleryItem({ task }: { task: Task }) {
  const [isPlaying, setPlaying] = useState(false)
  const { object, thumbnail_url, image_url, video_url, prompt = '', actualDuration, id } = task
  const still = thumbnail_url ?? image_url
  const mayPlay = object === 'video' && !matchMedia('(prefers-reduced-motion: reduce)').matches
  const play = (): void => setPlaying(mayPlay)
  const stop = (): void => setPlaying(false)
  return (
    <li class="gallery-item">
      <a
        href={`/console/tasks/${id}`}
        aria-label={texts.value.gallery.open(prompt || id)}
        onMouseEnter={play}
        onMouseLeave={stop}
        onFocus={play}
        onBlur={stop}
      >
        {still === undefined ? (
          video_url !== undefined && <video src={`${mediaUrl(video_url)}#t=0.1`} preload="metadata" muted playsInline />
        ) : (
          <img src={mediaUrl(still)} alt="" loading="lazy" decoding="async" />
        )}
        {isPlaying && video_url !== undefined && <video src={mediaUrl(video_url)} autoPlay loop muted playsInline />}
        {actualDuration !== null && <span class="gallery-duration">{duration(actualDuration)}</span>}
        <span class="gallery-caption" dir="auto">
          {prompt}
        </span>
      </a>
    </li>
  )
}
