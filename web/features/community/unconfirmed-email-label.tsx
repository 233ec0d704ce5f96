import { MailQuestionMark } from 'lucide-react'
import { en } from '#contract/language.ts'
import { cx } from '#web/ui/cx.ts'

/** Marks an application whose address may belong to somebody else. */
export const UnconfirmedEmailLabel = ({ className }: { className?: string }) => (
  <p className={cx('flex items-start gap-2 text-label font-[560] text-warning', className)}>
    <MailQuestionMark aria-hidden size={18} strokeWidth={2} className="mt-px flex-none" />
    {en('Email address not confirmed', 'Correo sin confirmar')}
  </p>
)
