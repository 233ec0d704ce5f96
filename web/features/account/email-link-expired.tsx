import { Unlink } from 'lucide-react'
import { es } from '#contract/language.ts'
import { screenPaths } from '#web/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { EmailLinkStatus } from './email-link-parts.tsx'

type Props = {
  to?: string
}

export function EmailLinkExpired({ to = screenPaths.recovery() }: Props) {
  return (
    <EmailLinkStatus
      icon={Unlink}
      color="warning"
      title={es('Este enlace ya no vale.', 'This link is no longer valid.')}
      lead={es(
        'Los enlaces valen una hora y una sola vez. Pide otro y abre el último que te llegue.',
        'Links work for one hour and only once. Ask for another and open the last one you get.',
      )}
    >
      <ButtonLink to={to} replace size="lg" block>
        {es('Pedir otro', 'Ask for another')}
      </ButtonLink>
    </EmailLinkStatus>
  )
}
