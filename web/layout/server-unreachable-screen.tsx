import { RotateCw } from 'lucide-react'
import { en } from '#contract/language.ts'
import { refreshSessionStatus } from '#web/features/account/session.ts'
import { useCommunityName } from '#web/navigation/community-identity.ts'
import { LogoMark } from '#web/ui/brand.tsx'
import { Button } from '#web/ui/button.tsx'

export function ServerUnreachableScreen() {
  const community = useCommunityName()
  return (
    <main className="grid min-h-dvh place-content-center justify-items-center gap-5 px-6 text-center">
      <LogoMark className="size-16" />
      <h1 className="heading text-h1-small md:text-h1">
        {en(`We can’t reach ${community}`, `No podemos conectar con ${community}`)}
      </h1>
      <Button kind="outline" onClick={refreshSessionStatus}>
        <RotateCw size={18} strokeWidth={2} />
        {en('Try again', 'Volver a intentar')}
      </Button>
    </main>
  )
}
