"""Chess of Tam Ruat: how each kind of piece moves, for the card that is shown while it is in somebody's hand."""

from controller.sentences import say

MOVES = {
    "C": say("Any distance along its rank or file."),
    "c": say("Any distance diagonally."),
    "Q": say("Any distance along rank, file or diagonal."),
    "k": say("Leaps two squares one way and one to the side."),
    "P": say("One square along its rank or file, or leaps two squares diagonally."),
    "X": say("One square diagonally. Leaps two along its rank or file, or three one way and one to the side."),
    "w": say("One square forward, two from where it starts. Captures one square diagonally forward."),
    "b": say("One square diagonally forward, two from where it starts. Captures one square straight forward."),
    "W": say("One square any way. Captures by leaping over an enemy beside it to the vacant square right behind."),
    "g": say("Goes any way over the first piece it meets, to the square right behind that piece."),
    "K": say("One square any way. On the far rank it becomes an emperor."),
    "E": say("Any distance along rank, file or diagonal. It is royal, and gives no check."),
}
