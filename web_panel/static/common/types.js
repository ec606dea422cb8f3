// What the service sends, as types for the reader and for tsc. Nothing here runs: no script loads this file.
// Made by `python -m tools.panel_types` from controller/table/views/types.py, web_panel/answers.py and what these name.

export {};

/**
 * Time to think for each seat: `minutes` in all, and with each ply `seconds` more, or uncounted ones.
 * @typedef {object} ClockRule
 * @property {"delay" | "increment" | "sudden"} kind
 * @property {number} minutes
 * @property {number} seconds
 */

/**
 * Several games of which `to` that are won decide. `won` is how many each seat had won before this game,
 * none where it is empty; it moves with the people when they change seats. `games` had been played.
 * @typedef {object} Match
 * @property {number} to
 * @property {number[]} [won]
 * @property {number} [games]
 */

/**
 * One step of a lesson: what to say, and the ply that is to be made; without one it is only read.
 *
 * `light` are sites that are lit while it is read, by the game's names; touching a piece there goes on. With a ply
 * they are sites of which it speaks beside that, lit until the piece is lifted.
 * @typedef {object} LessonStep
 * @property {string} say
 * @property {string} [ply]
 * @property {string[]} [light]
 * @property {string} [tap] to be said instead where pieces are moved by taps
 */

/**
 * A game led step by step. It begins where `plies` lead to, from the game's start or from `position`.
 *
 * A position is a state as the game encodes it, so that a lesson needs no more pieces than it talks about.
 *
 * A `puzzle`, told by its number, has one step, whose ply is to be found: any may be tried, and is taken back. With
 * a `goal` it is solved by whatever reaches that within the turn; its steps are a shortest way.
 *
 * `learner` is the id of the person who asked for it, with `NAMELESS` before it where no name was said yet; "" where
 * the board does not know that one. `learnt` is said once it is over: what can be done now. `interrupts` is the
 * number of the game that it took from the table, null where it took none; the service fills it in.
 * @typedef {object} Lesson
 * @property {LessonStep[]} steps
 * @property {string} [position]
 * @property {string[]} [plies]
 * @property {string} [puzzle]
 * @property {string} [goal]
 * @property {string} [learner]
 * @property {string} [learnt]
 * @property {number | null} [interrupts]
 */

/**
 * The seats that the board plays: its level by seat, 0 where people play, as in all seats after the last one.
 *
 * `characters` are those it has there, "" for none: see `controller.rules.characters`.
 * `answers` says that it accepts or declines draws, and resigns when all is lost, `coach` that it tells people
 * which of their plies have lost much.
 * @typedef {object} Opponents
 * @property {number[]} [levels]
 * @property {boolean} [answers]
 * @property {boolean} [coach]
 * @property {string[]} [characters]
 */

/**
 * Start a new game, with `plies` already played, or a lesson; the old one stays in the journal.
 *
 * `seats` is for who knows the phones: what becomes of the seats that they hold. Where `people` are named, these
 * sit there, and draw lots where `seats` says so. With a `match` it is one game of several.
 *
 * The `variant` is what people call these `options`, which are all that counts.
 * @typedef {object} NewGame
 * @property {"new_game"} do
 * @property {number | null} [over]
 * @property {string} game
 * @property {Record<string, any>} [options]
 * @property {number | null} [seed]
 * @property {ClockRule | null} [clock]
 * @property {Lesson | null} [lesson]
 * @property {string[]} [plies]
 * @property {"keep" | "lots" | "turn"} [seats]
 * @property {string[]} [people]
 * @property {Opponents} [opponents]
 * @property {Match | null} [match]
 * @property {string} [variant]
 */

/**
 * Two cells A and B side by side, and how their cost comes about. What there is of both is A's first.
 *
 * `pairs` has a node of A, the one of B that faces it, and whether they differ, from the shared side on clockwise
 * round A. Of them `differ` do and `alike` do not; both divided by `divisor` are `pay` and `move`.
 * `prices` are all costs that shells of so many nodes can have, by how many pairs differ.
 * @typedef {object} Facing
 * @property {[string, string]} shells a digit a node, node 0 first
 * @property {[number, number]} sides
 * @property {[number, number]} meet the shared side, by its number in each
 * @property {string} mode
 * @property {[number, number, boolean][]} pairs
 * @property {number} differ
 * @property {number} alike
 * @property {number} divisor
 * @property {number} pay
 * @property {number} move
 * @property {string} cost
 * @property {string[]} prices
 * @property {[string, string]} names
 */

/**
 * What stands on a site. `seat` (0-based) is the seat whose colour it has, null for what belongs to nobody.
 *
 * `kind` is one of the game's `Facts.kinds`. Where players swap sides, the colour stays with the piece.
 * @typedef {object} Piece
 * @property {number | null} seat
 * @property {string} kind
 */

/**
 * A ply that shares `units` out: the legal ones are `word` and a number, 0 or more, for each of `among`.
 *
 * `sentence` tells the player what to do; "" in a view where its `waits` do. Everybody may know all of this. One
 * that is `ahead` is not due yet, and for a seat whose turn to share comes, whatever is played until then.
 * @typedef {object} Share
 * @property {string} word
 * @property {number} units
 * @property {string[]} among
 * @property {string} sentence
 * @property {boolean} [ahead]
 */

/**
 * A way to set pieces up, `at` cells: each with a kind.
 * @typedef {object} Array
 * @property {string} title
 * @property {Record<string, string>} at
 */

/**
 * The `pieces` (kind → how many) that `seat` has to set up in secret on free `cells`, in plies like `K@h2`.
 *
 * It may do so before its turn comes, for nothing that others do bears on it. What is `optional` may be left out:
 * `end` is the ply that says so. `arrays` are offered to begin with.
 * @typedef {object} Arrange
 * @property {number} seat
 * @property {Record<string, number>} pieces
 * @property {string[]} cells
 * @property {string[]} optional
 * @property {string} end
 * @property {Array[]} arrays
 * @property {string[]} nobodys kinds that are nobody's once they stand
 */

/**
 * What tells a ply from others of the same title on a dial: a number of `units`.
 *
 * `title` says what is chosen, `told` what so many mean, `note` what holds for all of them, such as a price.
 * `between` are the two sites whose shells make that price, where that is so.
 * @typedef {object} Dial
 * @property {string} title
 * @property {number} units
 * @property {string} [told]
 * @property {string} [note]
 * @property {string[]} [between]
 */

/**
 * Something to be drawn beside the pieces, `at` a site, or for "between" at two. A panel knows these shapes:
 *
 * "count", a number on its piece, or several side by side; "between", a short text between two sites; "offer", where
 * the player to move may set something that is beside the board. What is drawn between two sites says no more of its
 * shape in JSON: there are many of those.
 * @typedef {object} Mark
 * @property {string[]} at
 * @property {"between" | "count" | "offer"} [shape]
 * @property {string} [text]
 * @property {number | null} [seat] whose colour it has
 * @property {string} [colour] or this one, as "#rrggbb" or "#rgb"; neither: a plain one
 */

/**
 * How a piece compares with the enemy on `site`, whom it reaches: `text` such as "2 > 1", and who wins.
 * @typedef {object} Against
 * @property {string} site
 * @property {string} text
 * @property {boolean} takes
 */

/**
 * Which kinds of pieces beat which: what of the lines of a `View` says so, `told`, and each pair, who beats and
 * whom. Kinds beat the next one in the order in which they first stand there, or others besides.
 * @typedef {object} Ring
 * @property {string} told
 * @property {[string, string][]} beats
 */

/**
 * Cells of one kind, with the `name` that people read and hear: "White's town". `seat` is whose it is.
 * @typedef {object} Place
 * @property {string[]} cells
 * @property {"centre" | "closed" | "corner" | "edge" | "forest" | "fortress" | "grassland" | "hill" | "river" | "town"} kind
 * @property {string} name
 * @property {number | null} [seat]
 */

/**
 * One site of the board: the board's name is its key. `label` is the game's own name of it, "" off it; it is left
 * out where the board calls it so, too.
 *
 * There are many, mostly dark and empty: what is as here is left out in JSON. For `DARK` that takes the very constant:
 * defaults are left out by identity, and a string made anew is sent, though it is equal.
 * @typedef {object} SiteView
 * @property {string} [label]
 * @property {boolean} [on] what the sensor says
 * @property {Piece | null} [piece] what should stand here
 * @property {string} [light] "#rrggbb", the very colour of the light frame before brightness; this is dark
 * @property {string} [meaning] of the light: "may_go", "missing", …; "" dark
 * @property {boolean} [blink]
 * @property {boolean} [secret] the piece is not on the board yet: this seat alone knows of it
 */

/**
 * One seat. `score` is null where the game keeps none; without a clock there is no `left_ms`.
 *
 * `left_ms` is the time left when the view was made; while `running`, it runs down from there after `still_ms`.
 * @typedef {object} SeatView
 * @property {string} name
 * @property {boolean} to_move
 * @property {number | null} score
 * @property {number} left_ms
 * @property {boolean} running
 * @property {boolean} offers_draw
 * @property {string} hints
 * @property {number} level of the board, which plays this seat; 0: people do
 * @property {string} character that it has, in words
 * @property {boolean} afar people at another board hold it
 * @property {boolean} out it has no more part in the game, which goes on
 * @property {number} colour whose pieces it plays now: players may change sides from round to round
 * @property {string} side what those are called, where players change sides
 * @property {string[]} holds what it holds that will count for it, or has left or done of its turn, in words
 * @property {number} turn by how many degrees the board is turned for it, clockwise, where seats have sides
 * @property {number} still_ms so long its time does not count yet
 * @property {boolean} chooses it is still to choose in secret, as others do at once
 */

/**
 * One ply of the history, as this seat may read it; its seat played the pieces of `colour` then.
 *
 * `words` say it where its text is no way from cell to cell, which anybody reads.
 * @typedef {object} PlyView
 * @property {number} seat
 * @property {string} text
 * @property {number} colour
 * @property {string} words
 */

/**
 * A ply in words, and the sites its piece came over, by the game's names, first to last; one where it stays.
 *
 * `feat` is a sentence that cheers what is rare in it; "" for most.
 * @typedef {object} PlyTold
 * @property {string} words
 * @property {string[]} way
 * @property {string} feat
 */

/**
 * What a seat played last, ply by ply, after `made` others. A turn's end that nobody made has no words.
 *
 * It was played `by_board` where the board held the seat then, whoever does now.
 * @typedef {object} LastTurn
 * @property {number} seat
 * @property {number} made
 * @property {PlyTold[]} plies
 * @property {boolean} by_board
 */

/**
 * The step of a lesson that is on: number `step` of `steps`, from 1.
 *
 * `ply` is the one that is to be made, "" where the step is only read; then `next_step` goes on (`next`). In a
 * puzzle it shows the ply, or the next one.
 * @typedef {object} LessonView
 * @property {number} step
 * @property {number} steps
 * @property {string} sentence
 * @property {string} ply
 * @property {boolean} next
 * @property {boolean} over all steps are done; the game may be played on
 * @property {string} puzzle the number of the puzzle that it is
 * @property {boolean} told its ply has been told
 * @property {boolean} hint where its ply begins can be told
 * @property {number | null} seat whose ply is to be found in a puzzle
 * @property {PlyTold[]} refuted a ply tried in a puzzle and the one that wins at once after it
 * @property {number | null} interrupts the number of the game that a puzzle took from the table
 */

/**
 * A lesson that was left at a step, and with which one can go on.
 * @typedef {object} LessonWaits
 * @property {string} game
 * @property {string} title
 * @property {number} step
 * @property {number} steps
 */

/**
 * One answer to the open question: the ply it makes, and in words.
 *
 * `sure` says what the ply would give away, so that a page asks before it is made; "" where nothing is lost. Those
 * whose `dial` has the same title differ by its number. A ply with a `turn` turns the shell of the site that it is
 * listed for by so many nodes, clockwise.
 * @typedef {object} Choice
 * @property {string} ply
 * @property {string} words
 * @property {string} sure
 * @property {Dial | null} dial
 * @property {number} turn
 */

/**
 * What a player wants to know of a piece: its name, how its kind moves, and `facts` about where it stands now.
 *
 * `against` has the enemies in its reach, by the board's sites. `stays` says why it takes part in no move now, ""
 * where it does, or where that is not known.
 * @typedef {object} Card
 * @property {Piece} piece
 * @property {string} name
 * @property {string} moves
 * @property {string[]} facts
 * @property {Against[]} against
 * @property {string} stays
 */

/**
 * The match of which this is game number `game`: whoever has won `to` games wins it.
 *
 * `won` is by seat and has this game once it is over; `winner` has won the match.
 * @typedef {object} MatchView
 * @property {number} to
 * @property {number} game
 * @property {number[]} won
 * @property {number | null} winner
 */

/**
 * A take-back `to` so many plies that the seats `by` ask for; those in `waits_for` have not answered.
 * @typedef {object} BackAskedView
 * @property {number} to
 * @property {number[]} by
 * @property {number[]} waits_for
 */

/**
 * The position after `ply` plies: pieces and marks at the game's names of sites, and which of those the last ply
 * `changed`; `seat` made that one and `words` say it, null and "" at the start.
 * @typedef {object} EarlierPosition
 * @property {number} ply
 * @property {Record<string, Piece>} pieces
 * @property {string[]} lines
 * @property {Mark[]} marks
 * @property {Record<string, any>} data
 * @property {string[]} changed
 * @property {number | null} seat
 * @property {string} words
 * @property {Place[]} places
 */

/**
 * What may be asked of the board now (`offers`: "move", "threat"), and what it shows; `off` says why it has
 * no help in this game. `about` is "move", "threat" or "coach" while something is shown; of which there is `more`.
 * `coach`: one speaks in this game. `ply` is the move that is shown, where no piece goes to be put anywhere; of
 * another one `way` is where its piece goes, first to last, once that is told.
 * @typedef {object} HelpView
 * @property {string[]} [offers]
 * @property {string} [off]
 * @property {string} [about]
 * @property {boolean} [more]
 * @property {boolean} [coach]
 * @property {string} [ply]
 * @property {string[]} [way]
 */

/**
 * What everybody may know of a choice of `seat` after `made` plies; see `controller.commitments.Committed`.
 * @typedef {object} SealedView
 * @property {number} seat
 * @property {number} made
 * @property {string} commit
 * @property {string} [nonce]
 * @property {string[]} [plies]
 */

/**
 * What a phone far away has to know to seal what `seat` chooses after `made` plies, in the game that began with
 * `seed`: see `controller.commitments`. `seats` are those that choose now; `sealed` is what everybody may know
 * of their choices, or where none choose, of those that were opened last.
 * @typedef {object} SealingView
 * @property {number} seat
 * @property {string} seed
 * @property {number} made
 * @property {number[]} seats
 * @property {SealedView[]} sealed
 */

/**
 * Everything that the panel shows, for one seat or a watcher.
 * @typedef {object} PanelView
 * @property {number} version grows with every change
 * @property {"fix" | "idle" | "over" | "pause" | "play" | "setup"} phase
 * @property {string} game name of the game, "" when idle
 * @property {string} title
 * @property {string} sentence what is going on: "White to move."
 * @property {string} advice what to do or why not; "" when there is nothing to say
 * @property {string} link "" while the sensor board answers, else a sentence
 * @property {SeatView[]} seats
 * @property {PlyView[]} plies
 * @property {Record<string, SiteView>} sites by the board's names
 * @property {string} waits the one sentence that names what to do next: never "" from the table; with advice, that
 * @property {string} todo `waits` for who is to move, on a phone that may not see as that seat; else ""
 * @property {string} proposal what somebody asks the others: to take back, or for a draw; `waits` may begin with it
 * @property {string} asks `sentence` for who is to move, where that is more than a move, or has won or lost; else ""
 * @property {string} question "" where none is open
 * @property {Choice[]} choices the answers to it
 * @property {(number | null)[]} answerers the seat whose each of them is to give, null where that is nobody's
 * @property {Choice[]} taps plies without a site that no hand can make, and what may be set beside: a few
 * @property {string[]} lines of the game: goes left, points, reserve
 * @property {Record<string, any>} data what a game tells programs, by its own words
 * @property {Mark[]} marks what is drawn beside the pieces, at the game's own names of sites
 * @property {Place[]} places cells that the rules treat apart, by the same names
 * @property {Record<string, any>} options of the game; those that are as usual are left out
 * @property {string} why how the game ended
 * @property {string} ranking then, of more than two with points, who came first, second and so on; else ""
 * @property {number | null} winner
 * @property {boolean} paused
 * @property {number} brightness percent
 * @property {Record<string, string>} kinds piece kind → readable name
 * @property {Record<string, string>} signs piece kind → what stands on such a piece, "" where its colour tells
 * @property {boolean} secret whether what can be played now is for the seat to move alone to know
 * @property {LessonView | null} lesson null outside a lesson
 * @property {number | null} begins the seat that begins this game; null where play itself settles it
 * @property {Share | null} share the ply of the seat to move shares units out, and may be made now
 * @property {number | null} back to so many plies the next take-back leads; null where there is nothing to take back
 * @property {(number | null)[]} own_backs by seat, to so many leads that of its own last ply; none after an ending
 * @property {number[]} end_back_by the seats of which one may take the ending back; none where anybody may
 * @property {BackAskedView | null} back_asked a take-back that others are asked about; null where there is none
 * @property {number} go_on_ms so long the board still waits whether this seat goes on with the last ply; 0 where it does not
 * @property {number} coach_ms so long it still waits with its answer, for people to think over what the coach said
 * @property {number} redo so many moves were just taken back and can be made again
 * @property {[number, Piece][]} captures pieces taken and not come back, each with the seat that took it
 * @property {Arrange | null} arrange what this seat may set up in secret, now or for its turn
 * @property {MatchView | null} match null where the game is by itself
 * @property {boolean} no_draws whether the board plays, and does not answer draw offers
 * @property {boolean} unrevealed whether others may be taken to have given up, who show nothing sealed
 * @property {string} claim why the seat to move may claim a draw now; "" where it may not
 * @property {string} seating how the people came to sit as they do, or a round ended, until the next ply
 * @property {string} board the name of the board, whose sites these are
 * @property {HelpView} help
 * @property {SealingView | null} sealing for a seat on a phone far away, in games with secrets
 * @property {LastTurn | null} last null before the first ply, and in lessons
 * @property {LastTurn[]} before the turns before that since one's own, the oldest first
 * @property {string} stage how far the game is: "Round 2 of 3"; "" where only the board tells
 * @property {Ring} ring which kinds of pieces beat which, where one of the lines tells that
 * @property {LessonWaits} waiting while no game is on, where a lesson waits
 * @property {number | null} game_id the number of the game: moves of two numbers have nothing to do with each other
 */

/**
 * An order that was carried out.
 * @typedef {object} Ordered
 * @property {string} [warning] why it is not on disk
 */

/**
 * A site for drawing, about its middle.
 * @typedef {object} SiteDrawn
 * @property {"cell" | "node" | "vertex"} kind
 * @property {number} x
 * @property {number} y
 * @property {[number, number][]} outline
 */

/**
 * The board for drawing, in millimetres, y downwards, the first player at the bottom.
 * @typedef {object} Geometry
 * @property {string} name
 * @property {string} title
 * @property {number} width
 * @property {number} height
 * @property {number[]} view left, top, width and height, with room for names round the board
 * @property {number[]} turns degrees by seat
 * @property {[string, number, string, number][]} joined sides that are one but drawn twice: a cell, its side, the other, its side
 * @property {Record<string, SiteDrawn>} sites
 */

/**
 * An option of a game for a form; `choices` is empty unless only those values are allowed, `titles` are they in
 * words.
 * @typedef {object} Option
 * @property {string} name
 * @property {string} title
 * @property {"bool" | "choice" | "int" | "text"} kind
 * @property {any} default
 * @property {string} help
 * @property {any[]} choices
 * @property {string[]} titles
 * @property {number | null} low
 * @property {number | null} high
 */

/**
 * How the board may like to play.
 * @typedef {object} CharacterTold
 * @property {string} name
 * @property {string} title
 * @property {string} line
 */

/**
 * A game's options under a name of their own: those that differ from the game's.
 * @typedef {object} VariantOffered
 * @property {string} name
 * @property {string} title
 * @property {string} about "" where nobody has said anything
 * @property {string} changes what is otherwise, in words
 * @property {Record<string, any>} options
 * @property {boolean} own whether people here have made it
 */

/**
 * A game as it is offered.
 * @typedef {object} GameOffered
 * @property {string} name
 * @property {string} title
 * @property {string} blurb
 * @property {number} minutes
 * @property {number} complexity how much there is to learn, 1 to 5
 * @property {boolean} lesson whether it can be learnt here
 * @property {string[]} seats
 * @property {number | null} begins the seat that begins, null where play settles it
 * @property {string[]} endings
 * @property {string} players_option the one that says how many seats take part, "" where all do
 * @property {CharacterTold[]} characters
 * @property {Option[]} options
 * @property {boolean} [fits] whether this board has room for it
 * @property {string[]} [boards] those that have
 * @property {VariantOffered[]} [variants] where its rules can be changed
 */

/**
 * A level at which the board can play.
 * @typedef {object} LevelTold
 * @property {number} level
 * @property {string} name
 * @property {string} line
 */

/**
 * A puzzle by its number; `hard` is 1 to 3, and `aim` "win", "gain", "save" or "turn".
 *
 * What is to be reached in a turn, `theme` says; it is "" for the others.
 * @typedef {object} PuzzleListed
 * @property {string} number
 * @property {number} hard
 * @property {string} aim
 * @property {string} theme
 */

/**
 * The puzzles of a game that can be played here.
 * @typedef {object} PuzzlesOfGame
 * @property {string} name
 * @property {string} title
 * @property {PuzzleListed[]} puzzles
 */

/**
 * How far the person of this phone has come in a game: as `GameRecord`, with the numbers of the puzzles found.
 * @typedef {object} GameProgress
 * @property {string} name
 * @property {number} level
 * @property {boolean} lesson
 * @property {string[]} solved
 */

/**
 * The puzzle of today: one game's, with its `title` and how `hard` it is; `asks` says who moves, and what
 * for.
 * @typedef {object} PuzzleOfDay
 * @property {string} game
 * @property {string} title
 * @property {string} number
 * @property {number} hard
 * @property {string} asks
 * @property {boolean} solved
 */

/**
 * A game that is not over, with so many moves made.
 * @typedef {object} GameLeft
 * @property {number} id
 * @property {string} game
 * @property {string} title
 * @property {number} count
 * @property {string} players who plays against whom, "" where that is not known
 * @property {string} started as "2026-03-01 20:15:00", in UTC
 * @property {boolean} others whether people play it, and not the one of this phone
 */

/**
 * What greets somebody who was not here for some hours, and what it leads to.
 *
 * That is a `game` at a `level` of the board, or with somebody where that is 0; else its `puzzle`. One of a game
 * that was played here has the number of that, `id`, and of the move, `ply`. With `id` and no puzzle it is the
 * game of one's own that waits.
 *
 * No phone shows the same `what` twice in a row where something else is true, too.
 * @typedef {object} WelcomeTold
 * @property {string} what
 * @property {string} sentence
 * @property {string} game
 * @property {number} level
 * @property {string} puzzle
 * @property {number} id
 * @property {number} ply
 */

/**
 * How far the person of this phone has come, nothing where the board does not know that one; today's puzzle, and
 * the newest games that were `left` before their end, one's own first. `welcome` has what may greet that person,
 * the best first.
 * @typedef {object} ProgressTold
 * @property {GameProgress[]} games
 * @property {number} streak
 * @property {PuzzleOfDay | null} today
 * @property {GameLeft[]} left
 * @property {WelcomeTold[]} welcome
 */

/**
 * How cells of a kind are drawn: a tint, and a `sign` in colour `line`, in the middle or at the `foot`.
 * @typedef {object} PlaceLook
 * @property {string} ground
 * @property {string} line
 * @property {string} sign a path of SVG within 100 of its middle, "" where there is none
 * @property {boolean} foot
 */

/**
 * How the pieces of a game are drawn, as paths of SVG of radius 100.
 * @typedef {object} DrawingsOfGame
 * @property {string[]} seats the outline of each seat's
 * @property {string} nobody the outline of nobody's
 * @property {number} rim the part of an outline at which its line runs
 * @property {Record<string, string>} kinds the drawing of each kind that has one
 * @property {number[]} colours the place of each seat's colour among those that pieces have
 * @property {Record<string, PlaceLook>} places the look of each kind of cell that games treat apart
 */

/**
 * How the person in a seat is called, and the colour of theirs.
 * @typedef {object} PersonTold
 * @property {string} name
 * @property {string} colour
 */

/**
 * Somebody whom the board knows.
 * @typedef {object} PersonKnown
 * @property {string} id
 * @property {string} name
 * @property {string} colour
 */

/**
 * Somebody who has played here; `you` holds this phone.
 * @typedef {object} PersonListed
 * @property {string} id
 * @property {string} name
 * @property {string} colour
 * @property {boolean} you
 */

/**
 * Somebody who may hold this phone; who is `elsewhere` plays in the game that is on with another one.
 * @typedef {object} PersonOffered
 * @property {string} id
 * @property {string} name
 * @property {string} colour
 * @property {boolean} you
 * @property {boolean} elsewhere
 */

/**
 * So many games with somebody, or of one name.
 * @typedef {object} RecordLine
 * @property {string} name
 * @property {number} games
 * @property {number} won
 * @property {number} lost
 */

/**
 * So many games of one name, and how far somebody has come in it.
 *
 * `level` is the highest one of the board that they have beaten, 0 for none; `lesson` says whether they have gone
 * through the lesson, `solved` how many puzzles they have found.
 * @typedef {object} GameRecord
 * @property {string} name
 * @property {number} games
 * @property {number} won
 * @property {number} lost
 * @property {number} level
 * @property {boolean} lesson
 * @property {number} solved
 */

/**
 * Somebody with all their finished games. `streak` is on how many days in a row they have found a puzzle.
 * @typedef {object} PersonGames
 * @property {string} id
 * @property {string} name
 * @property {string} colour
 * @property {boolean} you
 * @property {boolean} here whether a phone of theirs is at the table, and not away
 * @property {boolean} may whether this phone may change them
 * @property {number} games
 * @property {number} won
 * @property {number} lost
 * @property {number} streak
 * @property {GameRecord[]} by_game
 * @property {RecordLine[]} by_opponent
 */

/**
 * What somebody did beside moving: its `number` grows with each, `mine` is what this phone did. The `part` of
 * this phone is "new" where it has got something by that, or asked for it, and "old" where it has lost something.
 *
 * Of a take-back `made` is how many moves there had been, and `left` how many were then; the same for an ending.
 * Of a game that was begun `made` is how many moves the one before had, which is kept with them; 0 of a lesson.
 * `words` are the sentence that tells what was taken back, "" where that is secret, or who plays now; or they say
 * whose seat was released, which was given up, or who somebody is or is not. `asks` is which phone said to be
 * theirs; where nobody was there to be asked whether it is, `who` is "".
 * @typedef {object} NewsTold
 * @property {number} number
 * @property {string} who
 * @property {"agreed_back" | "asks_no_longer" | "began" | "gave_up" | "is_again" | "is_not" | "left_out" | "lesson" | "next_game" | "offers" | "other_players" | "owns" | "paused" | "puzzle" | "released" | "resumed" | "returned" | "took_back" | "withdrew"} what
 * @property {boolean} mine
 * @property {"" | "new" | "old"} part
 * @property {number} made
 * @property {number} left
 * @property {string} words
 * @property {string} asks
 */

/**
 * What the settings say of every page.
 * @typedef {object} PanelChoices
 * @property {boolean} [sounds]
 * @property {boolean} [turned]
 * @property {boolean} [reactions]
 */

/**
 * What somebody shows the others for some seconds: by name, "" where they gave none, and seat, if they have one.
 * @typedef {object} CheerTold
 * @property {number} number
 * @property {"clap" | "laugh" | "oh_no" | "wow"} what
 * @property {string} name
 * @property {number | null} seat
 */

/**
 * A phone at the table; `away` says that it has had no page open for a while.
 * @typedef {object} PhoneListed
 * @property {string} id
 * @property {string} name
 * @property {boolean} owner
 * @property {boolean} you
 * @property {boolean} away
 * @property {number[]} seats
 */

/**
 * Who may play the next game: with `id` an order gives them a `seat`. They have that one now, null for none.
 * @typedef {object} InLine
 * @property {string} id
 * @property {string} name
 * @property {number | null} seat
 * @property {boolean} you whether with this phone
 * @property {boolean} away
 * @property {boolean} wants to play next
 */

/**
 * A phone that asks those at the table to be let in; the name is "" where none was given.
 *
 * One that is in says that it is the person of another phone, and plays `again`: the name is that person's. The
 * other phone is `away`, else that person has gone on with it for the one that asks. `owner`: that phone owns the
 * table, and so would this one.
 * @typedef {object} KnockTold
 * @property {string} id
 * @property {string} name
 * @property {boolean} again
 * @property {boolean} away
 * @property {boolean} owner
 */

/**
 * For whom the board plays a seat, "" where no name was given, and whether it does so for this phone.
 * @typedef {object} SeatLent
 * @property {string} name
 * @property {boolean} you
 */

/**
 * What a browser learns about itself and about who is at the table.
 * @typedef {object} You
 * @property {"guest" | "owner" | "player"} role
 * @property {string} name
 * @property {number[]} seats that this phone holds
 * @property {Record<string, string>} held seat → name of the phone that holds it
 * @property {Record<string, PersonTold>} people seat → who has given a name
 * @property {boolean} barred whether others play here, so that this phone cannot put anything in the place of their game
 * @property {string[] | null} lying whose game, in which this phone has no seat, is left lying on the table
 * @property {number[]} away seats of a simulated board whose phone has had no page open for a while
 * @property {Record<string, string>} last_here seat → when its phone had a page open last, as times are kept, if that is long ago
 * @property {number[]} releases seats that this phone may free
 * @property {string} owner_here who owns the table and has a page open, "" for nobody
 * @property {string[]} here who is at the table, told to a screen there that nobody has joined with alone
 * @property {number[]} ready seats that have chosen, while all do so in secret
 * @property {NewsTold[]} told the newest last
 * @property {boolean} afar whether a phone far away holds a seat
 * @property {boolean} named whether the name was given by a person
 * @property {string} profile the id of who holds this phone, "" where that is not known
 * @property {boolean} shut whether the board is about to listen to its own computer alone, which this phone is not
 * @property {boolean} waits whether a lesson that waits is theirs, or of nobody at the table
 * @property {AskedCell | null} asked the cell to touch, while joining
 * @property {KnockTold | null} knock about whom this phone is asked
 * @property {"" | "refused" | "waits"} knocking how it stands where this phone asks those at the table
 * @property {number[]} again seats that the board plays for this phone, or of other phones, for which it may ask
 * @property {number[]} elsewhere seats that the person of this phone plays with another one now
 * @property {Record<string, SeatLent>} lent seat → for whom the board plays it
 * @property {PanelChoices} panel
 * @property {PhoneListed[]} phones none for a guest
 * @property {CheerTold[]} cheers the newest last
 * @property {string} wants_next who has asked to play next, "" for nobody
 * @property {InLine[]} line who may play next, first who comes first, where anybody else is among them; none for a guest
 */

/**
 * The cell to touch, to be let in; "" where none is free.
 * @typedef {object} CellToTouch
 * @property {string} site
 */

/**
 * A piece of a simulated board; its `id` stays the same for as long as the piece is there.
 * @typedef {object} Token
 * @property {string} [from] the site that it left, if held
 * @property {string} id
 * @property {number} [seat] none where it is nobody's
 * @property {string} kind
 */

/**
 * The pieces of a simulated board: on it by site, in the hands, beside it.
 * @typedef {object} Pieces
 * @property {Record<string, Token>} on
 * @property {Token[]} held
 * @property {Token[]} off
 * @property {number} moves how many changes there were
 * @property {boolean} [finishes] whether a tap is a whole move
 * @property {boolean} [unfinished] whether a capture waits to be completed
 */

/**
 * Where all pieces are by now.
 * @typedef {object} PiecesThere
 * @property {Pieces} pieces
 */

/**
 * A site as it is lit on one phone alone.
 * @typedef {object} LitSite
 * @property {string} light
 * @property {boolean} blink
 * @property {string} meaning
 */

/**
 * What one phone alone shows of `site`, and how `sites` are lit there.
 *
 * They are where the piece on it could go, which another phone moves. With `plies` they are the landings by one of
 * which a piece comes to `site`, each with the ply that goes there first, "" where several do. With `gone` the
 * piece in the hand has got to `site` on its way, and has taken those there.
 * @typedef {object} ShownHere
 * @property {string} site
 * @property {string} words
 * @property {Record<string, LitSite>} sites
 * @property {Record<string, string>} [plies]
 * @property {string[]} [gone]
 */

/**
 * What became of a tap: `choices` where several plies fit, a `look` at what this phone alone shows.
 * @typedef {object} Tapped
 * @property {Pieces} pieces
 * @property {Choice[]} [choices]
 * @property {ShownHere} [look]
 */

/**
 * The piece that was lifted, and where all are.
 * @typedef {object} Lifted
 * @property {Pieces} pieces
 * @property {string} [from] the site that it left, if held
 * @property {string} id
 * @property {number} [seat] none where it is nobody's
 * @property {string} kind
 */

/**
 * How a game begins with other options, as an SVG; or by option what is `wrong`, under "" what is of several.
 * @typedef {object} RulesLookedAt
 * @property {Record<string, string>} wrong
 * @property {string} picture
 */

/**
 * A variant that is kept under a `name`, and what its trial found; or by field what is `wrong`.
 * @typedef {object} VariantKept
 * @property {Record<string, string>} wrong
 * @property {string} name
 * @property {string[]} remarks
 */

/**
 * An option that a run tries with several values.
 * @typedef {object} OptionTried
 * @property {string} title
 * @property {string[]} values
 */

/**
 * A run of the workshop: so many games are `played` `of` all; `ends` is while its report is written.
 * @typedef {object} RunTold
 * @property {string} name
 * @property {string} title of the game and the variant
 * @property {string[]} players
 * @property {OptionTried[]} varied
 * @property {number} played
 * @property {number} of
 * @property {string} begun as "2026-03-01 20:15:00", in UTC
 * @property {"ends" | "plays" | "rests"} state
 * @property {number | null} seconds_left null while nothing is known of it
 * @property {boolean} report
 */

/**
 * All runs, the last one first, and the name of the one that is played; `wrong` is why the last one failed.
 * @typedef {object} RunsPage
 * @property {RunTold[]} runs
 * @property {boolean} installed
 * @property {string} playing
 * @property {string} wrong
 * @property {boolean} owner
 */

/**
 * A run that has begun, under a `name`.
 * @typedef {object} RunBegun
 * @property {string} name
 */

/**
 * A game in the list of games played.
 * @typedef {object} GameLine
 * @property {number} id
 * @property {string} game
 * @property {string} title
 * @property {string} started as "2026-03-01 20:15:00", in UTC
 * @property {number} count of moves
 * @property {boolean} over
 * @property {string} winner a person, "the board" or a seat; "" for a draw, or while it is unfinished
 * @property {string} result who won against whom; of a game that is not over, that
 * @property {string} sentence how, too
 * @property {string} [players] who plays against whom, "" where that is not known
 * @property {string[]} [seats] their names, where its rules can read it
 * @property {boolean} [played] as there: neither a lesson nor a puzzle
 */

/**
 * The games begun last, newest first; `more` are there that are older.
 * @typedef {object} GamesPlayed
 * @property {GameLine[]} games
 * @property {boolean} more
 */

/**
 * How many of the games of this evening somebody has played and won; who `leads` has won the most.
 * @typedef {object} PersonTonight
 * @property {string} name
 * @property {number} games
 * @property {number} won
 * @property {string} best a sentence about their best moment; "" where there was none worth telling
 * @property {boolean} leads
 */

/**
 * The games of this evening, who won how many, in a sentence, and the table of people, the best first; no row
 * where nobody has said a name.
 * @typedef {object} Evening
 * @property {GameLine[]} games
 * @property {string} tally
 * @property {PersonTonight[]} people
 */

/**
 * A lesson, and where it was left: so many of its steps with a move were `made`. Steps that are only read are not
 * counted.
 * @typedef {object} LessonLeft
 * @property {string} title
 * @property {number} made
 * @property {number} of
 * @property {number | null} step the number of the step whose move was to come, from 1; null where all were made
 * @property {string} words what that step says
 */

/**
 * How many games or puzzles of a title were begun, and how many of them are finished.
 * @typedef {object} BegunAndFinished
 * @property {string} title
 * @property {number} begun
 * @property {number} finished
 */

/**
 * The last game as text, without the people who played it; "" with the sentence `why` there is none.
 * @typedef {object} LastGame
 * @property {number | null} id
 * @property {string} text
 * @property {string} why
 */

/**
 * What the newest games tell of a first evening. It has no name of anybody.
 * @typedef {object} FirstEvening
 * @property {LessonLeft[]} lessons
 * @property {BegunAndFinished[]} games
 * @property {BegunAndFinished[]} puzzles
 * @property {number} unread games that cannot be read, and are not counted
 * @property {LastGame} last
 */

/**
 * So many pieces of a kind that the seat `by` has captured.
 * @typedef {object} CapturedCount
 * @property {number} by
 * @property {number | null} seat
 * @property {string} kind
 * @property {number} count
 */

/**
 * The game that is on the table, or was last, in figures.
 * @typedef {object} GameSummedUp
 * @property {number} id
 * @property {string} started as "2026-03-01 20:15:00", in UTC
 * @property {boolean} over
 * @property {string} sentence
 * @property {number} count
 * @property {number} minutes
 * @property {CapturedCount[]} captured
 */

/**
 * A ply of a game played; its seat played the pieces of `colour` then.
 * @typedef {object} PastPly
 * @property {number} seat
 * @property {number} colour
 * @property {string} text
 * @property {string} words
 */

/**
 * A game for replaying.
 * @typedef {object} GamePlayed
 * @property {number} id
 * @property {string} game
 * @property {string} title
 * @property {string} started as "2026-03-01 20:15:00", in UTC
 * @property {number} count of moves
 * @property {boolean} over
 * @property {string} winner a person, "the board" or a seat; "" for a draw, or while it is unfinished
 * @property {string} result who won against whom; of a game that is not over, that
 * @property {string} sentence how, too
 * @property {string} [players] who plays against whom, "" where that is not known
 * @property {string[]} seats
 * @property {number} minutes
 * @property {CapturedCount[]} captured
 * @property {[string, string][]} people each seat, and who sat on it, "" where that is not known
 * @property {PastPly[]} plies
 * @property {Geometry} geometry
 * @property {Record<string, string>} kinds
 * @property {Record<string, string>} signs
 * @property {boolean} secret part of it is, so that it is not played on from a position, and not given out
 * @property {boolean} ended_by_word its players ended it, or their time did, which can be taken back on the table
 */

/**
 * A seat of a game that was played without a name: whether whoever asks has said that it was them.
 * @typedef {object} NamelessSeat
 * @property {number} seat
 * @property {boolean} yours
 */

/**
 * How a game played stood after `ply` plies.
 * @typedef {object} PastPosition
 * @property {number} ply
 * @property {Record<string, Piece>} pieces
 * @property {string[]} lines
 * @property {Record<string, any>} data
 * @property {Mark[]} marks
 * @property {Place[]} places
 * @property {string[]} sides what the pieces of each colour are called
 * @property {string[]} changed
 * @property {boolean} over by the rules: nobody is to move
 */

/**
 * A game that was brought in: the `order` that begins it, and what it is.
 * @typedef {object} GameRead
 * @property {NewGame} order
 * @property {string} words
 */

/**
 * A move that lost much: chances before and after, and the sites of its way and of the better one; its sentence
 * also in `parts`, each about one thing.
 * @typedef {object} TurningPoint
 * @property {number} ply
 * @property {number} seat
 * @property {number} before
 * @property {number} after
 * @property {string} sentence
 * @property {string[]} parts
 * @property {string[]} better
 * @property {string[]} played
 * @property {boolean} puzzle
 */

/**
 * A puzzle in game `id`: the position before move `ply`, with which `name` overlooked what is to be found.
 *
 * Phones remember those that were solved by `game` and `number`.
 * @typedef {object} OwnPuzzle
 * @property {number} id
 * @property {number} ply
 * @property {string} game
 * @property {string} number
 * @property {string} title
 * @property {string} name
 */

/**
 * What is known of who stood better: while it "runs", so many positions are done; "failed" has the sentence,
 * and "done" may have one about how the game ended.
 * @typedef {object} Analysed
 * @property {"done" | "failed" | "none" | "runs" | "waits"} state
 * @property {string} [sentence]
 * @property {number} [done]
 * @property {number} [of]
 * @property {string[]} [seats]
 * @property {number[][]} [chances] after each ply, by seat
 * @property {TurningPoint[]} [turns]
 * @property {string} [calm] how the game slipped away, where no turn is of who lost it
 */

/**
 * A setting for a form: its value now, and the heading under which it stands. Of a secret only whether one is
 * `given`.
 * @typedef {object} SettingTold
 * @property {string} name
 * @property {"bool" | "choice" | "int" | "text"} kind
 * @property {any} default
 * @property {string} help
 * @property {any[]} choices
 * @property {number | null} low
 * @property {number | null} high
 * @property {string} panel
 * @property {any} value
 * @property {boolean} [given]
 */

/**
 * What can be set, and the colours of the lights by their meaning.
 * @typedef {object} SettingsForm
 * @property {SettingTold[]} fields
 * @property {Record<string, string>} colours
 */

/**
 * The key with which a browser subscribes to notices; "" with the sentence `why` there are none.
 * @typedef {object} NoticesOffered
 * @property {string} key
 * @property {string} why
 */

/**
 * Whether the phone is told when it is its turn.
 * @typedef {object} Subscribed
 * @property {boolean} kept
 */

/**
 * A board of the house; `here` is this one, `on` while it is connected.
 * @typedef {object} BoardOfHouse
 * @property {string} id
 * @property {string} name
 * @property {string} address of its panel, "" where only its own machine opens it
 * @property {string} game
 * @property {string} phase
 * @property {string} turn
 * @property {string} told
 * @property {boolean} on
 * @property {boolean} here
 */

/**
 * How the connection stands to the house, in a sentence, and its boards; this phone may forget one that is off.
 * @typedef {object} HousePage
 * @property {boolean} on
 * @property {boolean} connected
 * @property {string} told
 * @property {BoardOfHouse[]} boards
 * @property {boolean} forgets
 */

/**
 * Whether other devices can open the panel, and whether one has since the start; while it is `changing`, the
 * service is about to start again. `address` is where others find it, "" where they cannot.
 * @typedef {object} ReachTold
 * @property {boolean} open
 * @property {boolean} changing
 * @property {boolean} seen
 * @property {string} address
 */

/**
 * A seat of the game on the table; `afar` where people at another board hold it.
 * @typedef {object} SeatOffered
 * @property {number} seat
 * @property {string} name
 * @property {boolean} afar
 */

/**
 * A link to another board; `text` is the link itself, "" where it is not this board's to hand on. This board has
 * `invited` the other one; it is `home` now, and where it `hands` can make the other one home.
 * @typedef {object} BoardLink
 * @property {string} room
 * @property {boolean} invited
 * @property {boolean} home
 * @property {number} seat that the other board plays, or this one; negative where it only looks on
 * @property {string} game
 * @property {string} title
 * @property {string} text
 * @property {string} state
 * @property {string} said
 * @property {boolean} there
 * @property {"" | "here" | "over" | "there"} turn
 * @property {number | null} game_id
 * @property {boolean} on_table
 * @property {boolean} hands
 */

/**
 * A link to a phone far away; `text` is the link itself. Without `seats` it looks on.
 * @typedef {object} FarPhone
 * @property {string} room
 * @property {number[]} seats
 * @property {string} name
 * @property {string} text
 * @property {string} state
 * @property {string} said
 * @property {boolean} there
 */

/**
 * The links to other boards and phones, and the seats to which others can be invited.
 * @typedef {object} AfarTold
 * @property {boolean} invites
 * @property {boolean} follows whether another board is home to this game
 * @property {SeatOffered[]} seats
 * @property {BoardLink[]} links
 * @property {boolean} relay
 * @property {FarPhone[]} phones
 * @property {boolean} owner whether this phone may invite, join, and say where others are met
 */

/**
 * How one part of the way to others did.
 * @typedef {object} WayTried
 * @property {boolean} well
 * @property {string} told
 */

/**
 * The parts of the way to others that were tried, in their order, as far as they came.
 * @typedef {object} WayToOthers
 * @property {WayTried[]} tried
 */

/**
 * A link to be sent on.
 * @typedef {object} LinkMade
 * @property {string} link
 */

/**
 * What a sensor did.
 * @typedef {object} SensorTold
 * @property {number} changes
 * @property {number} bounces
 * @property {boolean} on
 * @property {number | null} shortest_ms
 * @property {number | null} mean_ms
 */

/**
 * A touch, and the how manieth it was.
 * @typedef {object} TouchTold
 * @property {number} n
 * @property {string} site
 * @property {boolean} on
 */

/**
 * How the line to the sensor board stands.
 * @typedef {object} LinkTold
 * @property {boolean} up
 * @property {number} losses
 * @property {number} snapshots
 * @property {number} touches
 * @property {number} touches_per_minute
 * @property {string[]} last_losses
 */

/**
 * What is wrong, and what to do about it; both whole sentences.
 * @typedef {object} FindingTold
 * @property {string} what
 * @property {string} advice
 */

/**
 * A guided check: question `number` of `count`, from 0, null while nobody knows how many there will be. Once it
 * is no longer running it says why it `ended` early, and what was found.
 * @typedef {object} CheckTold
 * @property {"lights" | "sensors"} of
 * @property {boolean} running
 * @property {boolean} yours
 * @property {number} number
 * @property {number | null} count
 * @property {string | null} asked
 * @property {boolean} pressed
 * @property {string} told
 * @property {string} [ended]
 * @property {boolean} [done]
 * @property {boolean} [all]
 * @property {FindingTold[]} [findings]
 * @property {boolean} [learn]
 */

/**
 * The board of the report.
 * @typedef {object} BoardShown
 * @property {Geometry} geometry
 */

/**
 * A kind of pieces by its magnets, and how often it would be taken for each kind, as shares.
 * @typedef {object} KindTold
 * @property {number} mean_mt
 * @property {number} spread_mt
 * @property {number[]} taken
 */

/**
 * The walk that measures kinds: the cell `asked` for, the `number` of `count` of that `kind`, from 0; and
 * what is known, the weakest kind first.
 * @typedef {object} KindsTold
 * @property {string | null} asked
 * @property {number} kind
 * @property {number} number
 * @property {number} count
 * @property {string} unsaved
 * @property {KindTold[]} known
 */

/**
 * Where the sensors of the empty board rest: of how many of `count` that is `kept`, and how measuring went.
 *
 * `far` says that some cells read as if something stood there, and may be left out.
 * @typedef {object} RestsTold
 * @property {boolean} measuring
 * @property {number} kept
 * @property {number} count
 * @property {string} told
 * @property {boolean} far
 */

/**
 * What linear sensors read, by site: mT with a sign, above 0 where a north pole faces down; what is wrong by it.
 * @typedef {object} FieldsTold
 * @property {Record<string, string>} sites
 * @property {FindingTold[]} findings
 * @property {KindsTold | null} kinds
 * @property {RestsTold | null} rests
 */

/**
 * What each sensor did, which magnets lie badly, the line to the sensor board and the log.
 * @typedef {object} Care
 * @property {Record<string, SensorTold>} sites
 * @property {string[]} weak the worst first
 * @property {number | null} gap_ms the longest for which a magnet that bounced was gone
 * @property {TouchTold[]} recent
 * @property {LinkTold} link
 * @property {number} flicker_ms
 * @property {string[]} log
 * @property {BoardShown} board
 * @property {CheckTold | null} walk
 * @property {FieldsTold | null} fields of a board with linear sensors
 * @property {boolean} playing
 * @property {"guest" | "owner" | "player"} role
 */

/**
 * What to do with the board file that was written.
 * @typedef {object} Learned
 * @property {string} told
 */

/**
 * One sentence, with what to do, "" where there is nothing; *told* is neither good nor bad.
 * @typedef {object} HealthLineTold
 * @property {"told" | "watch" | "well" | "wrong"} state
 * @property {string} what
 * @property {string} advice
 */

/**
 * How the board does, in one sentence, and for an `owner` in many.
 * @typedef {object} HealthTold
 * @property {"watch" | "well" | "wrong"} state
 * @property {string} told
 * @property {HealthLineTold[]} lines
 * @property {boolean} owner
 */

/**
 * A text of the bundle.
 * @typedef {object} BundleFileTold
 * @property {string} name
 * @property {string} text
 */

/**
 * What is in a support bundle; by its `number` just this one is saved, as a zip archive of so many `bytes`.
 * @typedef {object} BundleTold
 * @property {number} number
 * @property {number} bytes
 * @property {BundleFileTold[]} files
 */

/**
 * What a backup holds: `last` is when its last game began, as "2026-03-01 20:15:00", in UTC, "" for none.
 * @typedef {object} BackupHolds
 * @property {string} made in UTC
 * @property {string} board
 * @property {number} games
 * @property {string} last
 * @property {number} people
 * @property {number} variants
 */

/**
 * The games of this board, and when the last one began.
 * @typedef {object} GamesHere
 * @property {number} games
 * @property {string} last
 */

/**
 * A copy on the board; one that is damaged `holds` nothing, and `wrong` says so.
 * @typedef {object} BackupCopy
 * @property {string} name
 * @property {number} bytes
 * @property {"asked" | "before" | "evening"} kind before another was put back
 * @property {BackupHolds | null} holds
 * @property {string} wrong
 */

/**
 * The copies, the newest first, what is being done now, and why the last thing failed. While it is `changing`,
 * the service is about to start again with what is put back.
 * @typedef {object} BackupsPage
 * @property {BackupCopy[]} copies
 * @property {GamesHere} here
 * @property {"" | "evening" | "make" | "put-back"} doing
 * @property {string} wrong
 * @property {boolean} changing
 */

/**
 * What would be put back, and what is here now.
 * @typedef {object} BackupShown
 * @property {string} name
 * @property {BackupHolds} holds
 * @property {GamesHere} here
 */

/**
 * How the last update ended: to which version it was, whether that plays, and if not, why.
 * @typedef {object} UpdateEnded
 * @property {string} version
 * @property {boolean} plays
 * @property {string} why
 */

/**
 * What was found at the address: as `UpdateShown`, and not here yet.
 * @typedef {object} UpdateOffered
 * @property {string} version
 * @property {string} released a date
 * @property {Record<string, string[]>} changes
 * @property {number} minutes
 */

/**
 * Which `version` runs, and which was `before` it and can be gone back to, "" for none. What is being done is
 * `to` a version, of which a `share` from 0 to 1 is built; it is exchanged `when` that was wished. Where the
 * helper is not `installed`, this board is updated in another way.
 * @typedef {object} UpdatesPage
 * @property {boolean} installed
 * @property {string} version
 * @property {string} before
 * @property {"" | "build" | "built" | "trial"} doing
 * @property {string} to
 * @property {number} share
 * @property {"" | "now" | "quiet"} when
 * @property {boolean} plays whether a game is being played
 * @property {UpdateEnded | null} ended
 * @property {boolean} looks whether it looks for updates at an address
 * @property {UpdateOffered | null} offered
 * @property {string} offer_wrong
 * @property {boolean} fetching
 */

/**
 * How it stands with the sensor board's firmware, in a sentence, and whether it can be written now.
 * @typedef {object} FirmwareTold
 * @property {string} told
 * @property {boolean} can
 * @property {boolean} writes whether it is being written
 */

/**
 * What a file would put on: what it `changes`, in sentences by language, and how many `minutes` that takes.
 * @typedef {object} UpdateShown
 * @property {string} name
 * @property {string} version
 * @property {string} released a date
 * @property {Record<string, string[]>} changes
 * @property {number} minutes
 */

/**
 * A Wi-Fi in reach, or with `strength` 0, in percent, one that is `known` from before. `unsuitable` is one
 * that wants more than a password.
 * @typedef {object} NetworkFound
 * @property {string} id
 * @property {string} name
 * @property {number} strength
 * @property {"open" | "password" | "unsuitable"} security
 * @property {boolean} known
 */

/**
 * How the board's network stands: `name` is the Wi-Fi that it is in, `asked` the one that it was to join last,
 * `wrong` a sentence that says why it is not there.
 *
 * `own` is the board's own Wi-Fi, its `password` for owners alone; `later` is where the panel is found in the
 * home's network.
 * @typedef {object} NetworkTold
 * @property {boolean} radio
 * @property {"cable" | "hotspot" | "joining" | "none" | "wifi"} state
 * @property {string} name
 * @property {string} asked
 * @property {string} wrong
 * @property {string} own
 * @property {string} password
 * @property {string} later
 * @property {NetworkFound[]} networks
 */

/**
 * A board that comes along, and the titles of the games that are played on it.
 * @typedef {object} BoardToWire
 * @property {string} name
 * @property {string} title
 * @property {string[]} games
 */

/**
 * Whether the panel is served by https, too, and at which `address` for this browser.
 *
 * The certificate is the board's own, or was `given` by an owner; it `ends` on that day. The `fingerprint` is
 * that of the board's authority, in SHA-256. What is `wrong` may mend itself; a `hindrance` keeps it off.
 * @typedef {object} SecureTold
 * @property {boolean} on
 * @property {boolean} given
 * @property {string} address
 * @property {string[]} names
 * @property {string} ends
 * @property {string} fingerprint
 * @property {string} authority_ends
 * @property {string} wrong
 * @property {string} hindrance
 */

/**
 * The `word` with which a phone goes on by https; "" where it needs none.
 * @typedef {object} WayOver
 * @property {string} word
 */

/**
 * Which `board` is wired: one by its name or its file, or `screen` where there is none yet. While it is
 * `changing`, the service is about to start again with another.
 * @typedef {object} WiredTold
 * @property {string} board
 * @property {BoardToWire[]} boards
 * @property {boolean} changing
 */

/**
 * The cell that somebody who wants to join is asked to touch; `label` is the game's name of it, as people see it.
 *
 * `answered` says that they are in, and that the piece is to be taken off again.
 * @typedef {object} AskedCell
 * @property {string} site
 * @property {string} label
 * @property {boolean} answered
 */
