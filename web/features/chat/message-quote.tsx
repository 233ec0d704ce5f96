import type { Message } from '#contract/chat/messages.ts'
import { en } from '#contract/language.ts'
import { imageVariantUrl } from '#contract/posts/feed-photo.ts'
import { photoCountLabel } from './photos/message-preview-text.ts'

type Props = {
  quote: NonNullable<Message['replyTo']>
  name: string | undefined
  onGoTo: (messageId: string) => void
}

export function MessageQuote({ quote, name = '', onGoTo }: Props) {
  const line = quote.unsent
    ? en('Message unsent', 'Mensaje retirado')
    : quote.content || (quote.photos ? photoCountLabel(quote.photos.count) : en('Post', 'Publicación'))
  return (
    <button
      type="button"
      aria-label={en(`Reply to ${name}: ${line}`, `Respuesta a ${name}: ${line}`)}
      onClick={() => onGoTo(quote.$id)}
      className="mb-1.5 flex min-h-11 w-full items-center gap-2.5 rounded-input border-l-[3px] border-brand bg-surface px-2.5 py-1 text-left text-meta"
    >
      <span className="flex min-w-0 flex-1 flex-col">
        <span className="truncate font-semibold text-brand">{name}</span>
        <span className="truncate text-text-2">{line.split('\n', 1)}</span>
      </span>
      {quote.photos && (
        <img
          src={imageVariantUrl(quote.photos.imageId, 128)}
          alt=""
          width={36}
          height={36}
          loading="lazy"
          className="size-9 flex-none rounded-[10px] bg-sunken object-cover"
        />
      )}
    </button>
  )
}
