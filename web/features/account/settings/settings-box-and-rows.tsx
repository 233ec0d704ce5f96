import { ChevronRight, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { cx } from '#web/ui/cx.ts'

export function SettingsBox({
  title,
  text,
  children,
}: {
  title?: string
  text?: string
  children: ReactNode
}) {
  return (
    <section aria-label={title} className="card mb-4 px-4 py-1.5 md:px-5">
      {title && <h2 className="heading pt-4 pb-1 text-lead">{title}</h2>}
      {text && <p className="mb-2 text-pretty text-label text-text-2">{text}</p>}
      <div className="divide-y divide-border">{children}</div>
    </section>
  )
}

const iconColors = {
  plain: 'bg-sunken text-text-2',
  brand: 'bg-brand-soft text-brand-text',
  accent: 'bg-accent-soft text-on-accent-soft',
  success: 'bg-success-soft text-success',
  warning: 'bg-warning-soft text-warning',
}

export type SettingsIconColor = keyof typeof iconColors

export function SettingsIconTile({ icon: Icon, color }: { icon: LucideIcon; color: SettingsIconColor }) {
  return (
    <span className={cx('grid size-11 flex-none place-items-center rounded-input', iconColors[color])}>
      <Icon aria-hidden size={22} strokeWidth={1.9} />
    </span>
  )
}

type RowProps = {
  icon: LucideIcon
  color?: SettingsIconColor
  title: ReactNode
  text: ReactNode
  wraps?: boolean
  children?: ReactNode
}

export function SettingsRow({ icon, color = 'plain', title, text, wraps, children }: RowProps) {
  return (
    <div className="flex min-h-[68px] flex-wrap items-center gap-3 py-3 md:gap-4">
      <SettingsIconTile icon={icon} color={color} />
      <div className={cx('min-w-0 flex-1', wraps ? 'basis-[13.75rem]' : 'basis-[8rem]')}>
        <p className="font-[640]">{title}</p>
        <p className="text-pretty text-label text-text-2 wrap-anywhere">{text}</p>
      </div>
      {children}
    </div>
  )
}

const action =
  'inline-flex min-h-11 flex-none items-center px-2 -mr-2 font-[650] hover:underline underline-offset-4'

export function SettingsActionLink({
  to,
  state,
  label,
  children,
}: {
  to: string
  state?: unknown
  /** The accessible name, if the button's text alone is ambiguous. */
  label?: string
  children: string
}) {
  return (
    <Link to={to} state={state} aria-label={label} className={cx(action, 'text-brand-text')}>
      {children}
    </Link>
  )
}

type RowButtonProps = {
  onClick: () => void
  danger?: boolean
  busy?: boolean
  expanded?: boolean
  /** The accessible name, if the button's text alone is ambiguous. */
  label?: string
  children: string
}

export function SettingsActionButton({ onClick, danger, busy, expanded, label, children }: RowButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      aria-busy={busy || undefined}
      aria-expanded={expanded}
      onClick={onClick}
      className={cx(action, danger ? 'text-danger' : 'text-brand-text')}
    >
      {children}
    </button>
  )
}

const badgeColors = { success: 'bg-success-soft text-success', warning: 'bg-warning-soft text-warning' }

export function SettingsBadge({ color, children }: { color: keyof typeof badgeColors; children: string }) {
  return (
    <span
      className={cx('rounded-full px-2.5 py-0.5 text-meta font-[650] whitespace-nowrap', badgeColors[color])}
    >
      {children}
    </span>
  )
}

const noteColors = {
  plain: 'bg-sunken text-text-2',
  accent: 'bg-accent-soft text-on-accent-soft',
  warning: 'bg-warning-soft text-warning',
}

type NoteProps = {
  icon: LucideIcon
  color: keyof typeof noteColors
  children: ReactNode
  actions?: ReactNode
}

export function SettingsNote({ icon: Icon, color, children, actions }: NoteProps) {
  return (
    <div
      className={cx(
        'mb-4 flex flex-wrap items-center gap-x-3 rounded-photo px-4 py-2 text-label text-pretty',
        noteColors[color],
      )}
    >
      <Icon aria-hidden size={20} strokeWidth={1.9} className="flex-none" />
      <p className="min-w-0 flex-1 basis-[13.75rem] py-1.5 wrap-anywhere">{children}</p>
      {actions && <div className="flex flex-wrap gap-x-4">{actions}</div>}
    </div>
  )
}

export function SettingsNoteButton({
  onClick,
  busy,
  children,
}: Pick<RowButtonProps, 'onClick' | 'busy' | 'children'>) {
  return (
    <button
      type="button"
      aria-busy={busy || undefined}
      onClick={onClick}
      className="min-h-11 font-[680] whitespace-nowrap underline underline-offset-4"
    >
      {children}
    </button>
  )
}

type RowLinkProps = {
  to: string | { pathname: string; search: string }
  label: string
  text?: string
  children?: ReactNode
}

export function SettingsRowLink({ to, label, text, children }: RowLinkProps) {
  return (
    <li>
      <Link
        to={to}
        className="-mx-2 flex min-h-14 items-center gap-3 rounded-photo px-2 py-3 hover:bg-sunken"
      >
        <span className="min-w-0 flex-1">
          <span className="block text-body font-[640]">{label}</span>
          {text && <span className="block text-meta text-text-2">{text}</span>}
        </span>
        {children}
        <ChevronRight aria-hidden size={20} strokeWidth={2} className="flex-none text-text-2" />
      </Link>
    </li>
  )
}
