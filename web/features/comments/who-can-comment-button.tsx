import { ChevronDown, SlidersHorizontal, X } from 'lucide-react'
import { useId, useState } from 'react'
import { en } from '#contract/language.ts'
import type { AllowedCommenters, Post } from '#contract/posts/posts.ts'
import { useSignedInMember } from '#web/features/account/signed-in-member.ts'
import { RadioOption } from '#web/forms/radio-option.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { Modal } from '#web/ui/modal.tsx'
import { commenterChoices, commenterChoiceText, describeCommenters } from './commenter-choices.ts'

type Props = {
  value: AllowedCommenters
  /** The dialog stays open if this rejects. */
  onSave: (value: AllowedCommenters) => Promise<unknown>
  post?: Post
  wide?: boolean
  className?: string
}

export function WhoCanCommentButton({ value, post, onSave, wide, className }: Props) {
  const [open, setOpen] = useState(false)
  const chosen = commenterChoices.find((choice) => choice.value === value) ?? commenterChoices[0]
  if (!chosen) return null
  const Icon = chosen.icon
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        className={cx(
          'inline-flex items-center gap-[7px] rounded-full bg-sunken font-[620] text-text-2 hover:text-text focus-visible:rounded-full',
          wide ? 'min-h-12 w-full px-4 text-body' : 'hit-44 min-h-9 px-3 text-meta',
          className,
        )}
      >
        <Icon aria-hidden size={wide ? 18 : 15} strokeWidth={2} className="flex-none" />
        <span className="text-left">{wide ? chosen.label : chosen.chosen}</span>
        <ChevronDown aria-hidden size={wide ? 18 : 15} strokeWidth={2} className="ml-auto flex-none" />
      </button>
      {open && (
        <WhoCanCommentDialog
          value={value}
          onSave={onSave}
          onClose={() => setOpen(false)}
          {...(post && { post })}
        />
      )}
    </>
  )
}

function WhoCanCommentDialog({
  value,
  post,
  onSave,
  onClose,
}: Omit<Props, 'wide'> & { onClose: () => void }) {
  const me = useSignedInMember()
  const id = useId()
  const [chosen, setChosen] = useState(value)
  const [saving, setSaving] = useState(false)
  const [failed, setFailed] = useState(false)

  async function save() {
    setSaving(true)
    setFailed(false)
    try {
      await onSave(chosen)
      onClose()
    } catch {
      setFailed(true)
    } finally {
      setSaving(false)
    }
  }

  return (
    <Modal open role="dialog" labelledBy={`${id}-title`} describedBy={`${id}-text`} onClose={onClose}>
      <header className="flex items-center justify-between gap-3 pt-5 pr-4 pl-7">
        <h2 id={`${id}-title`} className="heading text-[1.375rem] leading-[1.75rem]">
          {en('Who can comment', 'Quién puede comentar')}
        </h2>
        <IconButton label={en('Close', 'Cerrar')} onClick={onClose}>
          <X aria-hidden size={20} strokeWidth={2} />
        </IconButton>
      </header>
      <div className="p-7 pt-0">
        <p id={`${id}-text`} className="mt-1 mb-3 text-pretty text-text-2">
          {en(
            'You can change this at any time. Existing comments stay unless you remove them.',
            'Puedes cambiarlo cuando quieras. Los comentarios que ya hay se quedan, salvo que los quites.',
          )}
        </p>
        <div role="radiogroup" aria-labelledby={`${id}-title`}>
          {commenterChoices.map((choice) => (
            <RadioOption
              key={choice.value}
              name={`${id}-commenters`}
              label={choice.label}
              text={post ? describeCommenters(choice.value, post, me) : commenterChoiceText(choice.value)}
              tinted
              checked={choice.value === chosen}
              onChoose={() => setChosen(choice.value)}
            />
          ))}
        </div>
        <p className="mt-2 flex gap-2.5 text-pretty text-meta text-text-2">
          <SlidersHorizontal aria-hidden size={18} strokeWidth={2} className="flex-none" />
          {en(
            'For new posts: change “Who can comment” in Settings.',
            'Para publicaciones nuevas: cambia «Quién puede comentar» en Ajustes.',
          )}
        </p>
        {failed && (
          <p role="alert" className="mt-3 text-label font-[620] text-danger">
            {en('We couldn’t save that. Try again.', 'No pudimos guardarlo. Inténtalo de nuevo.')}
          </p>
        )}
        <div className="mt-5 flex justify-end gap-2.5">
          <Button kind="ghost" onClick={onClose}>
            {en('Cancel', 'Cancelar')}
          </Button>
          <Button busy={saving} onClick={() => void save()}>
            {en('Save', 'Guardar')}
          </Button>
        </div>
      </div>
    </Modal>
  )
}
