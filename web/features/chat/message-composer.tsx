import { SendHorizontal, X } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef } from 'react'
import { messageContentSchema, messageWordsSchema } from '#contract/chat/messages.ts'
import { en } from '#contract/language.ts'
import { messageLengthLimits } from '#contract/limits.ts'
import { useSignedInMember } from '#web/features/account/signed-in-member.ts'
import { formatNumber } from '#web/format-number.ts'
import { isSendingKey } from '#web/forms/is-sending-key.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { useCssHeightVar } from '#web/ui/use-css-height-var.ts'
import {
  messageDraftStorageKey,
  saveMessageDraft,
  saveQuoteDraft,
  useMessageDraft,
  useQuoteDraft,
} from './messages/message-drafts.ts'
import { AddPhotosButton, ComposerPhotos, useAddPhotos } from './photos/composer-photos.tsx'
import { useMessageDraftPhotos } from './photos/message-draft-photos.ts'
import { useTypingSignal } from './typing/use-typing-signal.ts'

/** The height of six lines. Longer text scrolls. */
const maxHeightPx = 6 * 24 + 26

type Props = {
  conversationId: string
  otherName: string
  sending: boolean
  mayOnlyType?: boolean
  /** Photos are allowed after the recipient has answered. */
  mayAddPhotos: boolean
  onSend: () => void
}

export function MessageComposer({
  conversationId,
  otherName,
  sending,
  mayOnlyType = false,
  mayAddPhotos,
  onSend,
}: Props) {
  const me = useSignedInMember()
  const key = messageDraftStorageKey(me.accountId, conversationId)
  const quote = useQuoteDraft(key)
  const text = useMessageDraft(key)
  const form = useRef<HTMLFormElement>(null)
  const box = useRef<HTMLTextAreaElement>(null)
  const typed = useRef(text)
  const length = text.trim().length
  const tooLong = length > messageLengthLimits.max
  const countId = useId()
  useCssHeightVar('--composer', form)
  const photos = useMessageDraftPhotos(key)
  const adding = useAddPhotos(key, mayAddPhotos)
  const shape = photos.length > 0 ? messageWordsSchema : messageContentSchema
  const canSend = !sending && !adding.isPreparing && !mayOnlyType && shape.safeParse(text).success

  useLayoutEffect(() => {
    const area = box.current
    if (!area) return
    area.style.height = 'auto'
    area.style.height = `${Math.min(area.scrollHeight, maxHeightPx)}px`
    // Moves the cursor to the end of text restored after a failure.
    if (typed.current !== text) area.setSelectionRange(text.length, text.length)
    typed.current = text
  }, [text])

  // An on-screen keyboard would cover the conversation, so touch devices do not focus the field.
  useEffect(() => {
    if (matchMedia('(hover: hover) and (pointer: fine)').matches) box.current?.focus({ preventScroll: true })
  }, [])

  const signalTyping = useTypingSignal(conversationId)

  function write(next: string) {
    typed.current = next
    signalTyping(next)
    saveMessageDraft(key, next)
  }

  function send(event?: FormEvent) {
    event?.preventDefault()
    if (!canSend) return
    typed.current = ''
    adding.forgetRefusal()
    onSend()
    box.current?.focus()
  }

  function press(event: KeyboardEvent) {
    if (event.key === 'Escape' && quote) return saveQuoteDraft(key, undefined)
    if (!isSendingKey(event)) return
    event.preventDefault()
    send()
  }

  return (
    <form
      ref={form}
      onSubmit={send}
      className="flex flex-none items-end gap-2 px-2.5 pt-2 pb-3 md:gap-2.5 md:px-3 lg:px-[clamp(12px,4vw,48px)] md:pt-3 md:pb-5 print:hidden"
    >
      {mayAddPhotos && <AddPhotosButton onAdd={adding.add} />}
      <div className="relative min-w-0 flex-1">
        <ComposerPhotos
          draft={key}
          photos={photos}
          refusal={adding.refusal}
          isPreparing={adding.isPreparing}
          onChange={adding.forgetRefusal}
        />
        {quote && (
          <div className="mb-2 flex items-center gap-2 rounded-input border-l-[3px] border-brand bg-sunken pl-2.5 text-meta">
            <p className="flex min-w-0 flex-1 flex-col py-1">
              <span className="truncate font-semibold text-brand">
                {en(
                  `Reply to ${quote.senderId === me.$id ? 'yourself' : otherName}`,
                  `Respuesta a ${quote.senderId === me.$id ? 'ti misma' : otherName}`,
                )}
              </span>
              <span className="truncate text-text-2">{quote.content.split('\n', 1)}</span>
            </p>
            <IconButton
              label={en('Remove the reply', 'Quitar la respuesta')}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => {
                saveQuoteDraft(key, undefined)
                box.current?.focus()
              }}
            >
              <X aria-hidden size={20} strokeWidth={2} />
            </IconButton>
          </div>
        )}
        <textarea
          ref={box}
          data-composer
          aria-label={en('Message', 'Mensaje')}
          aria-invalid={tooLong || undefined}
          aria-describedby={tooLong ? countId : undefined}
          placeholder={en('Type a message...', 'Escribe un mensaje...')}
          rows={1}
          value={text}
          onChange={(event) => write(event.target.value)}
          onKeyDown={press}
          className="block min-h-12 w-full resize-none rounded-[26px] border-[1.5px] border-border-control bg-surface px-4 py-[11px] text-body-l leading-[1.5rem] focus:border-focus focus:outline-3 focus:-outline-offset-1 focus:rounded-[26px] focus:outline-focus/22 md:min-h-13 md:px-[18px] md:py-[12.5px]"
        />
        {length > messageLengthLimits.max * 0.8 && (
          <p
            role="status"
            id={countId}
            className={cx(
              'absolute right-4 -top-6 rounded-full bg-canvas px-2 text-meta tabular-nums',
              tooLong ? 'font-[620] text-danger' : 'text-text-2',
            )}
          >
            {tooLong &&
              en(
                `At most ${formatNumber(messageLengthLimits.max)} characters: `,
                `Como mucho ${formatNumber(messageLengthLimits.max)} caracteres: `,
              )}
            {length}/{messageLengthLimits.max}
          </p>
        )}
      </div>
      <Button
        type="submit"
        disabled={!canSend}
        // Keeps the focus in the text field. Otherwise a phone's navigation bar would reappear and move the button.
        onMouseDown={(event) => event.preventDefault()}
        className="min-h-12! w-12 flex-none px-0! md:min-h-13! md:w-auto md:px-5.5!"
      >
        <SendHorizontal aria-hidden size={20} strokeWidth={2} />
        <span className="max-md:sr-only">{en('Send', 'Enviar')}</span>
      </Button>
    </form>
  )
}
