// What the service sends, as types for the reader and for `tsc --checkJs`. Nothing here runs: no script loads this file.
// The truth is in controller/table/views.py, web_panel/joining.py and web_panel/backend.py.

/**
 * A piece as the game names it. `seat` is null where nobody owns it; `id` is there only on a simulated board, `from` where it is
 * held: the site that it left.
 * @typedef {{ seat: number | null, kind: string, id?: string, from?: string }} Piece
 */

/**
 * One site of the board, by the board's own name. What is as here is left out: label "", on false, light "#000000".
 * @typedef {object} SiteView
 * @property {string} [label] the game's own name of it, "" where the game does not use it
 * @property {boolean} [on] what the sensor says
 * @property {Piece | null} [piece] what should stand here
 * @property {string} [light] "#rrggbb", before brightness
 * @property {string} [meaning] of the light: "may_go", "missing", …
 * @property {boolean} [blink]
 * @property {boolean} [secret] the piece is not on the board yet: this seat alone knows of it
 */

/**
 * @typedef {object} SeatView
 * @property {string} name
 * @property {boolean} to_move
 * @property {boolean} afar people at another board hold it
 * @property {boolean} out it has no more part in the game, which goes on
 * @property {number} colour whose pieces it plays now
 * @property {number | null} score null where the game keeps none
 * @property {number | null} left_ms on the clock when the view was made, null without a clock
 * @property {boolean} running whether that time runs down
 * @property {boolean} offers_draw
 * @property {"none" | "legal" | "movable" | "threatened"} hints
 * @property {number} level at which the board plays this seat, 0 where people do
 * @property {string} character that it has there, in words, "" for none
 */

/**
 * A ply to choose, the ply in words, and what it would give away: a page asks before it makes such a ply.
 * @typedef {{ ply: string, words: string, sure: string }} Choice
 */

/**
 * The step of a lesson, number `step` of `steps` from 1; `next` where it is only read. Of a `puzzle`, its number and whether its ply was `told`.
 * @typedef {{ step: number, steps: number, sentence: string, ply: string, next: boolean, over: boolean, puzzle: string, told: boolean }} LessonView
 */

/**
 * A ply that shares `units` out among seats, written as `word` and a number for each.
 * One that is `ahead` is for a seat whose turn comes later.
 * @typedef {{ word: string, units: number, among: string[], sentence: string, ahead: boolean }} Share
 */

/**
 * What a seat sets up in secret: how many of each kind, on which free cells by the game's names, with arrays to begin with.
 * @typedef {{ seat: number, pieces: Record<string, number>, cells: string[], optional: string[], end: string, arrays: { title: string, at: Record<string, string> }[], nobodys: string[] }} Arrange
 */

/**
 * A drawing at a site, or between two, by the game's names. `seat` or `colour` ("#rrggbb") give its colour, else a plain one.
 * @typedef {{ at: string[], shape: "outline" | "foot" | "count" | "between", text?: string, seat?: number, colour?: string, says?: string }} Mark
 */

/**
 * Everything that the panel shows, for one seat or a watcher.
 * @typedef {object} View
 * @property {number} version grows with every change
 * @property {"idle" | "setup" | "play" | "fix" | "pause" | "over"} phase
 * @property {string} game "" without one
 * @property {number | null} game_id its number: what two games have in common is chance
 * @property {string} title
 * @property {string} sentence what is going on
 * @property {string} advice what to do or why not; "" when there is nothing to say
 * @property {string} link "" while everything works, else what does not
 * @property {SeatView[]} seats
 * @property {{ seat: number, text: string, colour: number }[]} plies
 * @property {Record<string, SiteView>} sites by the board's names
 * @property {string} waits the one sentence that names what to do next, never ""; the advice or the question where there is one
 * @property {string} question "" where none is open
 * @property {Choice[]} choices the answers to it
 * @property {Choice[]} taps plies that no hand can make and that concern no site
 * @property {string[]} lines of the game: goes left, points, reserve
 * @property {Record<string, any>} data what a game tells programs, by its own words
 * @property {Mark[]} marks what it draws beside its pieces
 * @property {Record<string, any>} options of the game
 * @property {string} why how the game ended
 * @property {number | null} winner
 * @property {boolean} paused
 * @property {number} brightness in percent
 * @property {Record<string, string>} kinds kind of piece → its name
 * @property {Record<string, string>} signs kind of piece → what stands on it, "" where its colour tells
 * @property {boolean} secret whether only the seat to move may know what it can do
 * @property {LessonView | null} lesson
 * @property {number | null} begins the seat that begins, null where play settles it
 * @property {Share | null} share
 * @property {Arrange | null} arrange what this seat sets up in secret, now or when its turn comes
 * @property {{ to: number, game: number, won: number[], winner: number | null } | null} match the match of which this is a game
 * @property {boolean} unrevealed whether others have not opened for a day what they had sealed
 * @property {string} claim why the seat to move may claim a draw, "" where it may not
 * @property {number | null} back so many plies are left by the next take-back, null where there is nothing to take back
 * @property {string} seating how people came to sit as they do, until the first ply
 * @property {string} board the name of the board, whose sites these are
 * @property {{ seat: number, seed: string, made: number, seats: number[], sealed: { seat: number, made: number, commit: string, nonce?: string, plies?: string[] }[] } | null} sealing what a phone far away needs to seal what it chooses
 * @property {{ offers?: string[], off?: string, about?: string, more?: boolean }} help what may be asked of the board, why it has no help, what it shows
 */

/**
 * What a browser learns about itself and about who is at the table.
 * @typedef {object} You
 * @property {"guest" | "player" | "owner"} role
 * @property {string} name
 * @property {number[]} seats that this phone holds
 * @property {Record<string, string>} held seat → name of the phone that holds it
 * @property {{ site: string, label: string, answered: boolean } | null} asked the cell to touch, while joining
 * @property {{ sounds?: boolean, turned?: boolean }} panel
 * @property {boolean} afar whether a phone far away holds a seat
 * @property {{ id: string, name: string, owner: boolean, you: boolean }[]} phones none for a guest
 */

/**
 * The board for drawing, in millimetres, y downwards, the first player at the bottom.
 * @typedef {object} Geometry
 * @property {string} name
 * @property {string} title
 * @property {Record<string, { kind: "cell" | "vertex" | "node", x: number, y: number, outline: [number, number][] }>} sites
 * @property {number} width
 * @property {number} height
 * @property {number[]} view the viewBox
 * @property {[string, number, string, number][]} joined sides that are one but drawn twice: a cell, its side, the other, its side
 */

/**
 * The pieces of a simulated board: on it by site, in the hands, beside it. `finishes`: a tap is a whole move; `unfinished`: a
 * capture waits to be completed.
 * @typedef {{ on: Record<string, Piece>, held: Piece[], off: Piece[], moves: number, finishes?: boolean, unfinished?: boolean }} Pieces
 */

/**
 * A piece at `site` that another phone moves, what is said of it, and how the sites to which it could go are lit here alone.
 * @typedef {{ site: string, words: string, sites: Record<string, { light: string, meaning: string }> }} Look
 */
