import { type ComponentProps, type KeyboardEvent, type Ref, useId } from 'react'
import { en } from '#contract/language.ts'
import { commentLengthLimits } from '#contract/limits.ts'
import { formatNumber } from '#web/format-number.ts'
import { isSendingKey } from '#web/forms/is-sending-key.ts'
import { cx } from '#web/ui/cx.ts'
import { useMentionSuggestions } from './suggestions/use-mention-suggestions.tsx'

type Props = Omit<ComponentProps<'textarea'>, 'onChange'> & {
  ref?: Ref<HTMLTextAreaElement>
  value: string
  /** Members who can read this post can be mentioned. */
  postId: string
  onType: (text: string) => void
  /** Called for the keys that also send a message (`isSendingKey`). */
  onSend: () => void
}

export function CommentTextArea({ ref, value, postId, onType, onSend, ...rest }: Props) {
  const countId = useId()
  const { length } = value.trim()
  const { max } = commentLengthLimits
  const tooLong = length > max

  const mention = useMentionSuggestions({ postId }, onType)

  function press(event: KeyboardEvent<HTMLTextAreaElement>) {
    mention.field.onKeyDown?.(event)
    if (event.defaultPrevented || !isSendingKey(event)) return
    event.preventDefault()
    onSend()
  }

  return (
    <div className="relative min-w-0 flex-[1_1_17.5rem]">
      <textarea
        {...rest}
        {...mention.field}
        ref={ref}
        rows={1}
        value={value}
        aria-invalid={tooLong || undefined}
        aria-describedby={length > max * 0.8 ? countId : undefined}
        onChange={(event) => onType(event.target.value)}
        onKeyDown={press}
        className="field-sizing-content block max-h-72 min-h-12 w-full resize-none rounded-card border-[1.5px] border-border-control bg-surface px-4.5 py-[11px] text-body leading-[1.4375rem] focus:border-focus focus:outline-3 focus:-outline-offset-1 focus:outline-focus/22"
      />
      {mention.list}
      {length > max * 0.8 && (
        <p
          role="status"
          id={countId}
          className={cx(
            'px-4 pt-1 text-meta tabular-nums',
            tooLong ? 'font-[620] text-danger' : 'text-text-2',
          )}
        >
          {tooLong &&
            en(`At most ${formatNumber(max)} characters: `, `Como mucho ${formatNumber(max)} caracteres: `)}
          {length}/{max}
        </p>
      )}
    </div>
  )
}
