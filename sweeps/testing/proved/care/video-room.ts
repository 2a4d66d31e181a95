// The guide to the video room, each with its test.
import type { Proofs } from '../../proof.ts'

export const videoRoom: Proofs = {
  'docs/video-room.md': [
    [
      'The link is stored nowhere, and each call makes another one',
      'clinical/visits/join.test.ts',
      'each call makes a new link and writes nothing but its audit row',
    ],
    [
      'the page shows the name of the clinic and nothing of the visit or the patient',
      'sweeps/visit-entrance.test.ts',
      'the entrance asks for the date of birth, and shows nothing of the visit or the patient',
    ],
    [
      'The first browser that enters has the link',
      'sweeps/visit-entrance.test.ts',
      'the first browser with the right date has the link; another one is refused, and enters by a new link',
    ],
    [
      'It gets a cookie, which holds a random value and nothing of the patient',
      'sweeps/visit-entrance.test.ts',
      'the first browser with the right date has the link; another one is refused, and enters by a new link',
    ],
    ['The page names no patient', 'sweeps/waiting-room.test.ts', 'contains no patient data'],
    [
      'No one sees or hears the patient before the clinician has started the visit',
      'gateway/websocket/rooms.test.ts',
      'opens when the visit is started, and carries messages in their order between two gateways',
    ],
    [
      'The newer page of a side replaces the older one',
      'gateway/websocket/rooms.test.ts',
      'has one page for each seat: a newer one replaces it, also at another gateway',
    ],
    [
      '| *No-show* | the visit ends without a charge | `visit.no_show.v1` |',
      'clinical/console/visits.test.ts',
      'a no-show and a canceled visit are not charged',
    ],
    [
      '| *Complete* | the room ends for both | `visit.completed.v1`, `charge.created.v1` |',
      'clinical/console/visits.test.ts',
      'a visit that a clinician starts and completes is charged, with an event of each',
    ],
    [
      'the page shows each status once it is loaded again',
      'sweeps/waiting-room.test.ts',
      'the same link shows each status of the visit',
    ],
    [
      'An API call outside the hours answers [409 `join_not_open`]',
      'clinical/visits/join.test.ts',
      'is allowed from one hour before the start to half an hour after the end, to the millisecond',
    ],
    [
      'Only they get it: other staff see the visit, and no room',
      'sweeps/care-claims.test.ts',
      'video visits: the guide quotes what the page says, and names its buttons',
    ],
    [
      'A patient who changes from a computer to a phone opens a new link there',
      'sweeps/visit-entrance.test.ts',
      'the first browser with the right date has the link; another one is refused, and enters by a new link',
    ],
    [
      'The patient sees the name of the clinic, who is expected, the day, the time in the zone of the visit, and how long the visit is',
      'sweeps/waiting-room.test.ts',
      'says who is expected, when, in the zone of the visit, and that it is a sandbox visit',
    ],
    [
      'The room says whether the patient is waiting',
      'gateway/websocket/rooms.test.ts',
      'opens when the visit is started, and carries messages in their order between two gateways',
    ],
    [
      '| *Start* | both are connected | `visit.started.v1` |',
      'gateway/websocket/rooms.test.ts',
      'opens when the visit is started, and carries messages in their order between two gateways',
    ],
    [
      'Opening the room starts nothing',
      'gateway/websocket/rooms.test.ts',
      'opens when the visit is started, and carries messages in their order between two gateways',
    ],
    [
      'they pass through a relay of the operator',
      'clinical/rooms/providers.test.ts',
      'TURN: a user name with its end, the visit and the seat, and its password by HMAC',
    ],
    [
      'then both get a button that opens the visit on a page of that service',
      'clinical/rooms/providers.test.ts',
      'makes a private room for two, once for both seats, with a token for each',
    ],
    [
      'Each side has one place',
      'gateway/websocket/rooms.test.ts',
      'has one page for each seat: a newer one replaces it, also at another gateway',
    ],
    [
      'On another phone it is entered by a new link',
      'sweeps/visit-entrance.test.ts',
      'the first browser with the right date has the link; another one is refused, and enters by a new link',
    ],
    [
      'When the clinic completes or cancels the visit, or marks it as missed, the room closes on both sides',
      'gateway/websocket/rooms.test.ts',
      'is closed for both by %s, also before the start',
    ],
    [
      'When the clinic completes or cancels the visit, or marks it as missed, the room closes on both sides',
      'gateway/websocket/rooms.test.ts',
      'opens when the visit is started, and carries messages in their order between two gateways',
    ],
    [
      'The link, its hours, its 15 minutes and its one browser are the same',
      'sweeps/waiting-room.test.ts',
      'waiting room: 403 in another browser than the one that opened the link, which goes on',
    ],
    [
      'The waiting room says that it is a sandbox visit',
      'sweeps/waiting-room.test.ts',
      'says who is expected, when, in the zone of the visit, and that it is a sandbox visit',
    ],
    [
      'Joining, leaving and coming back change no status and send no event',
      'gateway/websocket/rooms.test.ts',
      'a page comes back with its ticket, also to another gateway',
    ],
    [
      "`GET /v1/visits/{id}/join` makes the patient's link.",
      'clinical/visits/join.test.ts',
      'each call makes a new link and writes nothing but its audit row',
    ],
    [
      "A link can be forwarded, so in live mode the page first asks for the patient's date",
      'sweeps/visit-entrance.test.ts',
      'the entrance asks for the date of birth, and shows nothing of the visit or the',
    ],
    [
      'The clinician of the visit opens *Visits* in the console and presses *Video room*,',
      'sweeps/care-claims.test.ts',
      'video visits: the guide quotes what the page says, and names its buttons',
    ],
    [
      'We record nothing, and nothing is transcribed.',
      'sweeps/absence-claims.test.ts',
      'video: nothing records a visit',
    ],
    [
      'Where it is opened too late, the page says "This link has expired."',
      'sweeps/care-claims.test.ts',
      'video visits: the guide quotes what the page says',
    ],
    [
      '"This link was opened in another browser."',
      'sweeps/visit-entrance.test.ts',
      'the first browser with the right date has the link',
    ],
    [
      'The clinic cannot switch the question off',
      'sweeps/absence-claims.test.ts',
      'visits: no setting of a clinic is about the date of birth',
    ],
    [
      'Nothing ends a visit on a timer',
      'database/console-role.test.ts',
      'nothing advances a live case on a timer',
    ],
    [
      '"The connection was lost. It is being made again."',
      'e2e/video.spec.ts',
      'video: two browsers see each other, come back, and part',
    ],
    [
      '"This visit is open in another window."',
      'sweeps/care-claims.test.ts',
      'video visits: the guide quotes what the page says',
    ],
    [
      '"You have left the visit."',
      'sweeps/care-claims.test.ts',
      'video visits: the guide quotes what the page says',
    ],
    [
      '"Your clinician is not here at the moment."',
      'sweeps/care-claims.test.ts',
      'video visits: the guide quotes what the page says',
    ],
    [
      'The status stays as it is then, until the clinician completes the visit',
      'e2e/video.spec.ts',
      'video: two browsers see each other, come back, and part',
    ],
    [
      '"This link is not valid."',
      'sweeps/care-claims.test.ts',
      'video visits: the guide quotes what the page says',
    ],
    [
      '"Another program uses your camera or microphone."',
      'sweeps/care-claims.test.ts',
      'video visits: the guide quotes what the page says',
    ],
    [
      '"A video visit needs scripts."',
      'sweeps/care-claims.test.ts',
      'video visits: the guide quotes what the page says',
    ],
  ],
}
