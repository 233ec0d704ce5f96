import { Action, Close, Description, Provider, Root, Title, Viewport } from '@radix-ui/react-toast'
import { CircleAlert, X } from 'lucide-react'
import { en } from '#contract/language.ts'
import { cx } from '../cx.ts'
import { dismissToast, type Toast, toastDurationMs } from './toast-store.ts'

const words = {
  en: { region: 'Notifications ({hotkey})', one: 'Notification', close: 'Close' },
  es: { region: 'Avisos ({hotkey})', one: 'Aviso', close: 'Cerrar' },
}

export type ToasterProps = {
  lang: keyof typeof words
  toasts: readonly Toast[]
  position: string
}

export function Toaster({ lang, toasts, position }: ToasterProps) {
  const { region, one, close } = words[lang]
  return (
    <Provider label={one} duration={toastDurationMs} swipeDirection="right" swipeThreshold={50}>
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} close={close} />
      ))}
      <Viewport
        label={region}
        hotkey={['F8']}
        className={cx(
          'fixed right-4 left-4 z-80 rounded-tile md:right-6 md:left-auto md:w-[min(400px,calc(100vw-32px))]',
          position,
        )}
      />
    </Provider>
  )
}

function ToastCard({ toast, close }: { toast: Toast; close: string }) {
  const { id, kind, title, text, textLang, action, open } = toast
  const destructive = kind === 'destructive'
  return (
    <Root
      open={open}
      onOpenChange={(next) => next || dismissToast(id)}
      // Radix announces foreground toasts assertively and background toasts politely.
      type={destructive ? 'foreground' : 'background'}
      className={cx(
        'flex min-h-16 items-center gap-3.5 rounded-tile py-[15px] pr-3 pl-[18px] shadow-over focus-visible:rounded-tile forced-colors:border',
        'data-[state=open]:animate-rise data-[state=closed]:animate-leave',
        'data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x) data-[swipe=cancel]:transition-transform',
        destructive
          ? 'bg-danger-soft text-danger inset-ring-[1.5px] inset-ring-danger'
          : 'bg-toast text-on-toast',
      )}
    >
      {destructive && <CircleAlert size={20} strokeWidth={2} className="flex-none" />}
      <div lang={en('en', 'es')} className="min-w-0 flex-1 wrap-anywhere">
        {title && <Title className="font-[680]">{title}</Title>}
        {text && (
          <Description lang={textLang} className={destructive ? 'text-text' : ''}>
            {text}
          </Description>
        )}
      </div>
      {action && (
        <Action
          altText={action.label}
          onClick={action.run}
          className="hit-44 min-h-9 flex-none rounded-full bg-current/14 px-[15px] text-label font-[650]"
        >
          <span className={destructive ? 'text-danger' : 'text-on-toast'}>{action.label}</span>
        </Action>
      )}
      <Close
        aria-label={close}
        className="hit-44 -my-1.5 -mr-0.5 grid size-9 flex-none place-items-center self-start rounded-full opacity-85 hover:bg-current/12"
      >
        <X size={18} strokeWidth={2} />
      </Close>
    </Root>
  )
}
