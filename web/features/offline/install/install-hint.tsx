import { Share, SquarePlus, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { en } from '#contract/language.ts'
import { useCommunityName } from '#web/navigation/community-identity.ts'
import { CommunityLogo } from '#web/ui/brand.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { getInstallPrompt } from './install-prompt.ts'

export function InstallHint({ onClose: close }: { onClose: () => void }) {
  const offer = getInstallPrompt()
  const community = useCommunityName()
  if (!offer) return <IosSteps onClose={close} />
  return (
    <Hint
      title={en(`${community} on your home screen`, `${community} en tu pantalla de inicio`)}
      text={en(
        'It opens like an app and works with a poor connection.',
        'Se abre como una app y funciona con poca cobertura.',
      )}
      onClose={close}
    >
      <div className="mt-4 grid grid-cols-2 gap-3">
        <Button kind="ghost" onClick={close}>
          {en('Not now', 'Ahora no')}
        </Button>
        <Button
          onClick={() => {
            close()
            void offer.prompt()
          }}
        >
          {en('Install', 'Instalar')}
        </Button>
      </div>
    </Hint>
  )
}

function IosSteps({ onClose }: { onClose: () => void }) {
  const community = useCommunityName()
  return (
    <Hint
      title={en(`Add ${community} to your iPhone`, `Añade ${community} a tu iPhone`)}
      text={en('It opens like an app.', 'Se abre como una app.')}
      onClose={onClose}
    >
      <ol className="mt-4 space-y-4">
        <li className="flex items-center gap-4">
          <Share aria-hidden size={24} strokeWidth={1.9} className="mx-2 flex-none text-text-2" />
          <span>
            {en('Press', 'Toca')} <strong className="font-[680]">{en('Share', 'Compartir')}</strong>{' '}
            {en('below in Safari', 'abajo en Safari')}
          </span>
        </li>
        <li className="flex items-center gap-4">
          <SquarePlus aria-hidden size={24} strokeWidth={1.9} className="mx-2 flex-none text-text-2" />
          <span>
            {en('Choose', 'Elige')}{' '}
            <strong className="font-[680]">{en('Add to Home Screen', 'Añadir a pantalla de inicio')}</strong>
          </span>
        </li>
      </ol>
    </Hint>
  )
}

type HintProps = { title: string; text: string; onClose: () => void; children: ReactNode }

const Hint = ({ title, text, onClose, children }: HintProps) => (
  <section
    aria-label={title}
    className="card above-foot fixed right-3 left-3 z-70 p-5 shadow-over md:right-6 md:left-auto md:w-[400px]"
  >
    <div className="flex gap-4">
      <CommunityLogo className="size-14" />
      <div className="min-w-0 flex-1">
        <h2 className="heading text-h2">{title}</h2>
        <p className="mt-1 text-text-2">{text}</p>
      </div>
      <IconButton label={en('Close', 'Cerrar')} className="-mt-2 -mr-2" onClick={onClose}>
        <X aria-hidden size={20} strokeWidth={2} />
      </IconButton>
    </div>
    {children}
  </section>
)
