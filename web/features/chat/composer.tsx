import { SendHorizontal } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, useLayoutEffect, useRef } from 'react'
import { messageContent } from '#contract/chat.ts'
import { messageLength } from '#contract/limits.ts'
import { useMe } from '#web/features/account/queries.ts'
import { Button } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { useHeightAs } from '#web/ui/use-height-as.ts'
import { draftKey, useDraft, writeDraft } from './drafts.ts'

/** Six lines; then it scrolls. */
const tallest = 6 * 24 + 26

type Props = { conversationId: string; sending: boolean; onSend: () => void }

/** The box and 'Send' (spec §5 Chat message). The text is the conversation's draft. */
export function Composer({ conversationId, sending, onSend }: Props) {
  const key = draftKey(useMe().accountId, conversationId)
  const text = useDraft(key)
  const form = useRef<HTMLFormElement>(null)
  const box = useRef<HTMLTextAreaElement>(null)
  const typed = useRef(text)
  const length = text.trim().length
  useHeightAs('--composer', form)
  const canSend = !sending && messageContent.safeParse(text).success

  useLayoutEffect(() => {
    const area = box.current
    if (!area) return
    area.style.height = 'auto'
    area.style.height = `${Math.min(area.scrollHeight, tallest)}px`
    // Put back after a failure, not typed: she goes on at its end.
    if (typed.current !== text) area.setSelectionRange(text.length, text.length)
    typed.current = text
  }, [text])

  function write(next: string) {
    typed.current = next
    writeDraft(key, next)
  }

  function send(event?: FormEvent) {
    event?.preventDefault()
    if (!canSend) return
    typed.current = ''
    onSend()
    box.current?.focus()
  }

  function press(event: KeyboardEvent) {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    // A keyboard on the glass has no Shift+Enter at hand: there Enter is a new line.
    if (matchMedia('(hover: none) and (pointer: coarse)').matches) return
    event.preventDefault()
    send()
  }

  return (
    <form
      ref={form}
      onSubmit={send}
      className="flex flex-none items-end gap-2 px-2.5 pt-2 pb-3 md:gap-2.5 md:px-3 lg:px-[clamp(12px,4vw,48px)] md:pt-3 md:pb-5"
    >
      <div className="relative min-w-0 flex-1">
        <textarea
          ref={box}
          data-composer
          aria-label="Message"
          placeholder="Type a message..."
          rows={1}
          value={text}
          onChange={(event) => write(event.target.value)}
          onKeyDown={press}
          className="block min-h-12 w-full resize-none rounded-[26px] border-[1.5px] border-border-control bg-surface px-4 py-[11px] text-body-l leading-6 focus:border-focus focus:outline-3 focus:-outline-offset-1 focus:rounded-[26px] focus:outline-focus/22 md:min-h-13 md:px-[18px] md:py-[12.5px]"
        />
        {length > messageLength.max * 0.8 && (
          <p
            role="status"
            className={classes(
              'absolute right-4 -top-6 rounded-full bg-canvas px-2 text-meta tabular-nums',
              length > messageLength.max ? 'font-[620] text-danger' : 'text-text-2',
            )}
          >
            {length}/{messageLength.max}
          </p>
        )}
      </div>
      <Button
        type="submit"
        disabled={!canSend}
        // Taking the focus from the box would bring the bar back on a phone, and move this from under her finger.
        onMouseDown={(event) => event.preventDefault()}
        className="min-h-12! w-12 flex-none px-0! md:min-h-13! md:w-auto md:px-5.5!"
      >
        <SendHorizontal aria-hidden size={20} strokeWidth={2} />
        <span className="max-md:sr-only">Send</span>
      </Button>
    </form>
  )
}
